import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { releasePlanAdmissionFields, releasePlanFields } from '@slipway/model/views/release-plan-fields'
import { rowFields } from '@slipway/model/views/row-fields'
import { permission } from '../api/access/permission'
import { getQuery, listQuery } from '../api/queries'

/** What decides whether a plan releases a snapshot, and how. */
const prospectFields: readonly FieldPath[] = [
  ...rowFields,
  'spec.application',
  ...[labels.autoRelease, labels.standingAttribution, labels.author].map((key) => fieldPath('metadata', 'labels', key)),
  ...releasePlanAdmissionFields,
]

export const releasePlans = {
  /** With the fields that the table of release plans shows. */
  listed: (namespace: string) => listQuery(releasePlanType, { namespace, mask: releasePlanFields }),
  /** With what decides whether they release a snapshot, and whether their releases can succeed. */
  prospects: (namespace: string) => listQuery(releasePlanType, { namespace, mask: prospectFields }),
  /** Those of an application as a view. */
  view: (namespace: string, application: string) => ({
    kind: releasePlanType.plural,
    namespaces: [namespace],
    where: { application: [application] },
  }),
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
