import { deliveredRules, type RoleWithRules } from '@slipway/model/access/missing-right'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { useQueries } from '@tanstack/react-query'
import { clusterRoles } from '../../resources/cluster-roles'

/** The rules of each role; as the platform delivers it where the user may not read it. */
export function useRolesWithRules(configured: readonly GrantableRole[]) {
  const read = useQueries({ queries: configured.map(({ roleRef }) => clusterRoles.get(roleRef.name)) })
  return {
    roles: configured.map((role, index): RoleWithRules => ({
      role,
      rules: read[index]?.data?.rules ?? deliveredRules(role),
    })),
    isDelivered: read.some(({ isError }) => isError),
    isPending: read.some(({ isPending }) => isPending),
  }
}
