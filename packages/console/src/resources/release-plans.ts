import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { permission } from '../api/access/permission'
import { getQuery, listQuery } from '../api/queries'

const ownerFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'spec.application',
]

const label = (key: string) => fieldPath('metadata', 'labels', key)

/** What decides whether a plan needs an admission. */
const admissionFields: readonly FieldPath[] = [
  'spec.target',
  'spec.tenantPipeline.pipelineRef',
  'spec.pipeline.pipelineRef',
  'spec.pipelineRef',
  'status.releasePlanAdmission',
]

const listedFields: readonly FieldPath[] = [
  ...ownerFields,
  label(labels.autoRelease),
  label(labels.standingAttribution),
  label(labels.releasePlanAdmission),
  'spec.componentGroup',
  ...admissionFields,
]

/** What decides whether a plan releases a snapshot, and how. */
const prospectFields: readonly FieldPath[] = [
  ...ownerFields,
  'metadata.creationTimestamp',
  ...[labels.autoRelease, labels.standingAttribution, labels.author].map(label),
  ...admissionFields,
]

export const releasePlans = {
  /** With the fields that the table of release plans shows. */
  listed: (namespace: string) => listQuery(releasePlanType, { namespace, mask: listedFields }),
  /** With what decides whether they release a snapshot, and whether their releases can succeed. */
  prospects: (namespace: string) => listQuery(releasePlanType, { namespace, mask: prospectFields }),
  get: (namespace: string, name: string) => getQuery(releasePlanType, { namespace, name }, { live: true }),
}

export const createReleasePlanPermission = permission("You don't have access to create a release plan", [
  'create',
  releasePlanType,
])

export const editReleasePlanPermission = permission("You don't have access to edit this release plan", [
  'update',
  releasePlanType,
])

export const triggerReleasePermission = permission(
  "You don't have access to trigger releases",
  ['list', releaseType],
  ['create', releaseType],
  ['list', releasePlanType],
)
