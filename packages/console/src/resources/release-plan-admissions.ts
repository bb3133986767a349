import { releasePlanAdmissionType } from '@slipway/model/releases/release-plan'
import type { AccessCheck } from '../api/access/access-review'
import { getQuery } from '../api/queries'

export const releasePlanAdmissions = {
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
