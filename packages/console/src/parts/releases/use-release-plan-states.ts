import { nameOf } from '@slipway/kube/object'
import { type Release, releaseType } from '@slipway/model/releases/release'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import { type ReleasePlanState, releasePlanState } from '@slipway/model/releases/release-plan-state'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { noApplication } from '@slipway/model/views/releases'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { useView } from '../../api/views/use-view'
import type { ApplicationParams } from '../../paths'
import { releasePlans } from '../../resources/release-plans'

/** Snapshots and releases beyond these are older than what was released, unless releases have stopped for long. */
const mostRows = 200

const stateRows: RowKind<ReleasePlanState> = {
  idOf: ({ plan }) => nameOf(plan),
  nameOf: ({ plan }) => nameOf(plan),
  isBeingDeleted: ({ plan }) => plan.metadata.deletionTimestamp !== undefined,
  objectOf: ({ plan }) => plan,
}

/** What each release plan of an application has released, and what it has not yet. */
export function useReleasePlanStates({ namespace, application }: ApplicationParams): Source<ReleasePlanState> {
  const of = { namespaces: [namespace] }
  const plans = useView<ReleasePlan>(releasePlans.view(namespace, application), 'release plans')
  const current = useView<Release>(
    { kind: releaseType.plural, ...of, where: { status: ['Succeeded'] }, sort: '-completed', firstOf: 'releasePlan' },
    'successful releases',
  )
  // The release service labels a release with its application once it is valid.
  const recent = useView<Release>(
    { kind: releaseType.plural, ...of, where: { anyApplication: [application, noApplication] } },
    'releases',
    mostRows,
  )
  const snapshots = useView<Snapshot>(
    { kind: snapshotType.plural, ...of, where: { mergedIn: [application] } },
    'snapshots',
    mostRows,
  )
  // There is a row for each plan, however many releases and snapshots there are.
  const source = useJoined(
    [plans, current, recent, snapshots],
    ([ofApplication, successful, newest, merged]) =>
      ofApplication && successful && newest && (merged || snapshots.error)
        ? ofApplication.map((plan) => releasePlanState(plan, [...successful, ...newest], merged))
        : undefined,
    stateRows,
  )
  return { ...source, more: undefined }
}
