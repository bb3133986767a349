import { namespaceOf, specOf } from '@slipway/kube/object'
import type { Release } from '@slipway/model/releases/release'
import { parseNamespacedName } from '@slipway/model/namespaced-name'
import type { ReleaseDefinitions } from '@slipway/model/releases/release-stages'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../../api/access/use-access'
import { readAdmissionChecks, releasePlanAdmissions } from '../../resources/release-plan-admissions'
import { releasePlans } from '../../resources/release-plans'

/**
 * The plan of a release and the admission that its plan matches, which define its pipelines. Either is absent while it
 * is loading, if it does not exist, and if the user may not read it: the explanations work without them.
 */
export function useReleaseDefinitions(release: Release): ReleaseDefinitions {
  const { releasePlan } = specOf(release)
  const { data: plan } = useQuery({
    ...releasePlans.get(namespaceOf(release) ?? '', releasePlan ?? ''),
    enabled: releasePlan !== undefined,
  })
  const { namespace, name = '' } = parseNamespacedName(plan?.status?.releasePlanAdmission?.name) ?? {}
  const { isAllowed } = useAccess(namespace ? readAdmissionChecks(namespace) : [])
  const { data: admission } = useQuery({
    ...releasePlanAdmissions.get(namespace ?? '', name),
    enabled: namespace !== undefined && isAllowed,
  })
  return { plan, admission }
}
