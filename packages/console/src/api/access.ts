import { type ResourceAttributes, selfSubjectAccessReviewType } from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { ApiError } from '@slipway/kube/status'
import { queryOptions, useQueries, type QueryClient } from '@tanstack/react-query'
import { client, onRefusal } from './client'
import { queryClient } from './query-client'

export type AccessVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** May the user do this? Without a namespace: to cluster-scoped objects, or in all namespaces. */
export interface AccessCheck {
  verb: AccessVerb
  type: ResourceType
  namespace?: string
  subresource?: string
}

const accessKey = 'access'
const recheckMs = 30_000

/** The cluster's answer to one check; the query fails when the review does. Equal checks are one request. */
export function accessQuery({ verb, type, namespace, subresource }: AccessCheck) {
  const resourceAttributes: ResourceAttributes = {
    group: type.group,
    resource: type.plural,
    subresource,
    namespace,
    verb,
  }
  return queryOptions({
    queryKey: [accessKey, namespace ?? '', type.group, type.plural, subresource ?? '', verb],
    queryFn: async ({ signal }) => {
      const review = { metadata: {}, spec: { resourceAttributes } }
      const { status } = await client.create(selfSubjectAccessReviewType, review, { signal })
      return status?.allowed === true
    },
    staleTime: recheckMs,
    // A control waits, disabled, for the answer: it is asked again later rather than longer.
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? recheckMs : false),
  })
}

export interface Access {
  /** All checks were answered with yes. No answer, or a failed review, is a no. */
  isAllowed: boolean
  isPending: boolean
}

export const useAccess = (checks: readonly AccessCheck[]): Access =>
  useQueries({
    queries: checks.map(accessQuery),
    combine: (results) => ({
      isAllowed: results.every(({ isSuccess, data }) => isSuccess && data),
      isPending: results.some(({ isPending }) => isPending),
    }),
  })

/**
 * For loaders: goes on only when the user may.
 * @throws ApiError with code 403 for a no; the failure of the review itself, since "ask for access" would be a lie then
 */
export async function requireAccess(verb: AccessVerb, type: ResourceType, namespace?: string): Promise<void> {
  if (await queryClient.fetchQuery(accessQuery({ verb, type, namespace }))) return
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    url: resourcePath(selfSubjectAccessReviewType),
    message: `Access check Denied: it takes the right to ${verb} ${qualifiedPlural(type)}.`,
  })
}

/** After a 403 what was known about the rights in that namespace is asked again; answers how to stop. */
export function startAccess(client: QueryClient): () => void {
  return onRefusal((refusal) => {
    // A refused review says nothing new, and would be asked again for ever.
    if (refusal.kind !== 'forbidden' || refusal.path.includes(selfSubjectAccessReviewType.plural)) return
    const [, namespace = ''] = /\/namespaces\/([^/?]+)\//.exec(refusal.path) ?? []
    void client.invalidateQueries({ queryKey: [accessKey, decodeURIComponent(namespace)] })
  })
}
