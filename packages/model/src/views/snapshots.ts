import { nameOf, specOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { msOf } from '../duration'
import { labels } from '../labels'
import { branchOf, userOf } from '../git/git-facts'
import { componentsIn, type Snapshot, snapshotType } from '../snapshots/snapshot'
import { isUnmerged, referenceOf } from '../snapshots/snapshot-origin'
import { snapshotStatus, snapshotStatuses } from '../snapshots/snapshot-status'
import { snapshotFields } from './snapshot-fields'
import { commitIdentifiers } from './commit-identifiers'
import { yesOrNo } from './yes-or-no'

/** The tests that a release needs have passed, and all changes in it have been merged. */
export const isReleasable = (snapshot: Snapshot): boolean =>
  snapshotStatus(snapshot) === 'Succeeded' && !isUnmerged(snapshot)

/** Snapshots in the cluster, newest first. */
export const snapshotView: ViewKind<Snapshot> = {
  id: snapshotType.plural,
  type: snapshotType,
  mask: snapshotFields,
  fields: {
    name: { is: 'text', of: nameOf },
    created: { is: 'number', of: ({ metadata }) => msOf(metadata.creationTimestamp) },
    components: { is: 'number', of: (snapshot) => componentsIn(snapshot).length },
    status: { is: 'choice', of: snapshotStatus, order: snapshotStatuses },
    application: { is: 'choice', of: ({ metadata }) => metadata.labels?.[labels.application] },
    component: { is: 'choice', of: (snapshot) => componentsIn(snapshot).map(({ name }) => name) },
    branch: { is: 'choice', of: branchOf },
    byUser: { is: 'choice', of: userOf },
    isReleasable: { is: 'choice', of: (snapshot) => yesOrNo(isReleasable(snapshot)) },
    mergedIn: { is: 'choice', of: (snapshot) => (isUnmerged(snapshot) ? undefined : specOf(snapshot).application) },
    isUnmerged: { is: 'choice', of: (snapshot) => yesOrNo(isUnmerged(snapshot)) },
  },
  order: '-created',
  text(snapshot) {
    const { shaTitle = '', sha = '' } = referenceOf(snapshot)
    return `${nameOf(snapshot)} ${shaTitle} ${sha}`
  },
  identifiers: (snapshot) => [nameOf(snapshot), ...commitIdentifiers(snapshot)],
}
