import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import type { ViewField, ViewKind } from '@slipway/views/view-kind'
import { msOf } from '../duration'
import { branchOf, userOf } from '../git/git-facts'
import { labels } from '../labels'
import { type Release, releaseDurationMs, releaseStatus, releaseStatuses, releaseType } from '../releases/release'
import { releaseRunOf, type ReleaseRunType } from '../releases/release-runs'
import { releaseFields } from './release-fields'

const runField = (type: ReleaseRunType): ViewField<Release> => ({
  is: 'text',
  of: (release) => releaseRunOf(release, type)?.name,
})

/** Later than any completion, in milliseconds: a release that has not completed will be the next to do so. */
const runningMs = 1e15

/** The completion of a release for sorting; those that have not completed are sorted by their creation. */
function completionMsOf({ metadata, status }: Release): number | undefined {
  const createdMs = msOf(metadata.creationTimestamp)
  return msOf(status?.completionTime) ?? (createdMs === undefined ? undefined : createdMs + runningMs)
}

const labelOf =
  (key: string) =>
  ({ metadata }: Release): string | undefined =>
    metadata.labels?.[key]
const applicationOf = labelOf(labels.application)
const componentOf = labelOf(labels.component)

/** How the filters of the release monitor name what a release does not have. */
export const noApplication = 'No application'
export const noComponent = 'No component'

/** Releases in the cluster, newest first. */
export const releaseView: ViewKind<Release> = {
  id: releaseType.plural,
  type: releaseType,
  mask: releaseFields,
  fields: {
    name: { is: 'text', of: nameOf },
    created: { is: 'number', of: ({ metadata }) => msOf(metadata.creationTimestamp) },
    completed: { is: 'number', of: ({ status }) => msOf(status?.completionTime) },
    completionTime: { is: 'number', of: completionMsOf },
    duration: { is: 'number', of: releaseDurationMs },
    status: { is: 'choice', of: releaseStatus, order: releaseStatuses },
    namespace: { is: 'choice', of: namespaceOf },
    application: { is: 'choice', of: applicationOf },
    anyApplication: { is: 'choice', of: (release) => applicationOf(release) ?? noApplication },
    component: { is: 'choice', of: componentOf },
    anyComponent: { is: 'choice', of: (release) => componentOf(release) ?? noComponent },
    branch: { is: 'choice', of: branchOf },
    byUser: { is: 'choice', of: userOf },
    releasePlan: { is: 'choice', of: (release) => specOf(release).releasePlan },
    releaseSnapshot: { is: 'choice', of: (release) => specOf(release).snapshot },
    tenantCollectorPipelineRun: runField('Tenant Collector'),
    tenantPipelineRun: runField('Tenant'),
    managedPipelineRun: runField('Managed'),
    finalPipelineRun: runField('Final'),
  },
  order: '-created',
  text: nameOf,
  identifiers: (release) => [nameOf(release), specOf(release).snapshot ?? []].flat(),
}
