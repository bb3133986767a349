import { hashKey, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { accessQuery, rulesQuery } from './access'
import type { AccessCheck } from './access-review'
import type { Permission } from './permission'

export interface Access {
  /** Every check is allowed. A pending or failed review counts as denied. */
  isAllowed: boolean
  isPending: boolean
  /** No check was denied, but a review has failed. */
  hasFailed: boolean
}

/**
 * @param checks that must all be allowed. While in use, a change of the user's access is noticed within 30 seconds.
 */
export const useAccess = (checks: readonly AccessCheck[]): Access => useEachAccess([checks])[0] ?? denied

const denied: Access = { isAllowed: false, isPending: false, hasFailed: false }

/** The access to several things. They may share checks. */
function useEachAccess(checks: readonly (readonly AccessCheck[])[]): Access[] {
  const namespace = checks.flat().find((check) => check.namespace)?.namespace
  useQuery({ ...rulesQuery(namespace ?? ''), enabled: namespace !== undefined, notifyOnChangeProps: [] })
  const queries = checks.map((some) => some.map(accessQuery))
  const hashOf = ({ queryKey }: ReturnType<typeof accessQuery>) => hashKey(queryKey)
  const unique = new Map(queries.flat().map((query) => [hashOf(query), query]))
  const hashes = [...unique.keys()]
  return useQueries({
    queries: [...unique.values()],
    combine: (results) =>
      queries.map((some) => accessOf(some.flatMap((query) => results[hashes.indexOf(hashOf(query))] ?? []))),
  })
}

const accessOf = (results: readonly UseQueryResult<boolean>[]): Access => ({
  isAllowed: results.every(({ isSuccess, data }) => isSuccess && data),
  isPending: results.some(({ isPending }) => isPending),
  hasFailed: results.some(({ isError }) => isError) && !results.some(({ isSuccess, data }) => isSuccess && !data),
})

/**
 * Why the user cannot do each of several things in a namespace, or `false`.
 * @param permissions `undefined` for what any user may do
 */
export const useDisabledReasons = (
  permissions: readonly (Permission | undefined)[],
  namespace: string,
): (string | false)[] =>
  useEachAccess(permissions.map((needed) => needed?.checks(namespace) ?? [])).map((access, index) =>
    disabledReason(access, permissions[index]?.denial ?? ''),
  )

export const useDisabledReason = (needed: Permission, namespace: string): string | false =>
  disabledReason(useAccess(needed.checks(namespace)), needed.denial)

/** Why a control is disabled, or `false`. @param reason given once the cluster has denied access, and not before */
export function disabledReason({ isAllowed, isPending, hasFailed }: Access, reason: string): string | false {
  if (isAllowed) return false
  if (isPending) return 'Checking your access'
  return hasFailed ? 'Your access could not be checked' : reason
}
