import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { releasePlanAdmissionType } from '@slipway/model/releases/release-plan'
import type { AccessCheck } from '../api/access/access-review'
import { getQuery, listQuery } from '../api/queries'

const listedFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  fieldPath('metadata', 'labels', labels.blockReleases),
  'spec.application',
  'spec.applications',
  'spec.componentGroups',
  'spec.origin',
]

export const releasePlanAdmissions = {
  /** With the fields that the table of release plan admissions shows. */
  listed: (namespace: string) => listQuery(releasePlanAdmissionType, { namespace, mask: listedFields }),
  get: (namespace: string, name: string) => getQuery(releasePlanAdmissionType, { namespace, name }),
}

/** The permission needed to read an admission, which is usually in another team's namespace. */
export const readAdmissionChecks = (namespace: string): AccessCheck[] => [
  { verb: 'get', type: releasePlanAdmissionType, namespace },
]

/** The permissions needed to open the admission in the release area of its namespace. */
export const openAdmissionChecks = (namespace: string): AccessCheck[] => [
  ...readAdmissionChecks(namespace),
  { verb: 'list', type: releasePlanAdmissionType, namespace },
]
