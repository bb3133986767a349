import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import type { ViewField, ViewKind } from '@slipway/views/view-kind'
import { msOf } from '../duration'
import { labels } from '../labels'
import { type Release, releaseDurationMs, releaseStatus, releaseStatuses, releaseType } from '../releases/release'
import { releaseRunOf, type ReleaseRunType } from '../releases/release-runs'
import { releaseFields } from './release-fields'

const runField = (type: ReleaseRunType): ViewField<Release> => ({
  is: 'text',
  of: (release) => releaseRunOf(release, type)?.name,
})

/** Releases in the cluster, newest first. */
export const releaseView: ViewKind<Release> = {
  id: releaseType.plural,
  type: releaseType,
  mask: releaseFields,
  fields: {
    name: { is: 'text', of: nameOf },
    created: { is: 'number', of: ({ metadata }) => msOf(metadata.creationTimestamp) },
    completed: { is: 'number', of: ({ status }) => msOf(status?.completionTime) },
    duration: { is: 'number', of: releaseDurationMs },
    status: { is: 'choice', of: releaseStatus, order: releaseStatuses },
    namespace: { is: 'choice', of: namespaceOf },
    application: { is: 'choice', of: ({ metadata }) => metadata.labels?.[labels.application] },
    component: { is: 'choice', of: ({ metadata }) => metadata.labels?.[labels.component] },
    'release plan': { is: 'choice', of: (release) => specOf(release).releasePlan },
    'release snapshot': { is: 'choice', of: (release) => specOf(release).snapshot },
    tenantCollectorPipelineRun: runField('Tenant Collector'),
    tenantPipelineRun: runField('Tenant'),
    managedPipelineRun: runField('Managed'),
    finalPipelineRun: runField('Final'),
  },
  order: '-created',
  text: nameOf,
  identifiers: (release) => [nameOf(release), specOf(release).snapshot ?? []].flat(),
}
