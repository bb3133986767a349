import { selfSubjectAccessReviewType, selfSubjectRulesReviewType } from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { ApiError, isRejection } from '@slipway/kube/status'
import { queryOptions, useQueries, useQuery, type QueryClient } from '@tanstack/react-query'
import { type AccessCheck, accessReview, type AccessVerb, rulesReview } from './access-review'
import { client, onRefusal } from '../client'
import { isIdle } from '../live/idle'
import { queryClient } from '../query-client'

const accessKey = 'access'
/** An answer counts for this long; whoever has to wait for another one waits at most so long too. */
const recheckMs = 30_000
/** Where nobody is there, and each of them would have to be asked by itself. */
const idleRecheckMs = 300_000
const rulesKey = 'access-rules'
const rulesMs = 20_000

/** The cluster's answer to one check; the query fails when the review does. Equal checks are one request. */
export function accessQuery(check: AccessCheck) {
  const { verb, type, namespace, subresource } = check
  return queryOptions({
    queryKey: [accessKey, namespace ?? '', type.group, type.plural, subresource ?? '', verb],
    queryFn: async ({ signal }) => {
      const { status } = await client.create(selfSubjectAccessReviewType, accessReview(check), { signal })
      return status?.allowed === true
    },
    staleTime: recheckMs,
    // A control waits, disabled, for the answer: it is asked again later rather than longer.
    retry: false,
    refetchInterval: ({ state }) => {
      if (state.status !== 'error' && areRulesKnown(namespace)) return false
      return isIdle() ? idleRecheckMs : recheckMs
    },
  })
}

/**
 * What the user may do in a namespace altogether: one request tells whether any of the answers on the page may have
 * changed, however many there are. It decides nothing itself, since a cluster may know more than its rules.
 */
const rulesQuery = (namespace: string) =>
  queryOptions({
    queryKey: [rulesKey, namespace],
    queryFn: async ({ signal }) => {
      const { status } = await client.create(selfSubjectRulesReviewType, rulesReview(namespace), { signal })
      if (!status || status.incomplete) return null
      // In the order of the cluster's bindings, which is another one with every answer.
      return status.resourceRules
        .map((rule) => JSON.stringify(rule))
        .sort()
        .join('\n')
    },
    staleTime: rulesMs,
    retry: false,
    // A cluster that tells its rules to nobody is not asked again.
    refetchInterval: ({ state }) => (isRejection(state.error) ? false : rulesMs),
  })

const areRulesKnown = (namespace: string | undefined): boolean => {
  if (!namespace) return false
  const rules = queryClient.getQueryState(rulesQuery(namespace).queryKey)
  // Until there is an answer, one is expected.
  return rules === undefined || rules.status === 'pending' || (rules.status === 'success' && rules.data !== null)
}

export interface Access {
  /** All checks were answered with yes. No answer, or a failed review, is a no. */
  isAllowed: boolean
  isPending: boolean
  /** Nothing was answered with no, but a review has failed. */
  hasFailed: boolean
}

/**
 * @param checks that must all be allowed. While it is used, a change of the user's rights is noticed within 30 seconds.
 */
export function useAccess(checks: readonly AccessCheck[]): Access {
  const namespace = checks.find((check) => check.namespace)?.namespace
  useQuery({ ...rulesQuery(namespace ?? ''), enabled: namespace !== undefined, notifyOnChangeProps: [] })
  return useQueries({
    queries: checks.map(accessQuery),
    combine: (results) => ({
      isAllowed: results.every(({ isSuccess, data }) => isSuccess && data),
      isPending: results.some(({ isPending }) => isPending),
      hasFailed: results.some(({ isError }) => isError) && !results.some(({ isSuccess, data }) => isSuccess && !data),
    }),
  })
}

/** Why a control is disabled, or `false`. @param words for a no; they are not said before the cluster has said it */
export function disabledReason({ isAllowed, isPending, hasFailed }: Access, words: string): string | false {
  if (isAllowed) return false
  if (isPending) return 'Checking your access'
  return hasFailed ? 'Your access could not be checked' : words
}

/**
 * For loaders: asks all that the controls of a page need at once, so that the page comes with its controls as they will
 * stay. A review that fails is for the control to say.
 */
export async function prefetchAccess(checks: readonly AccessCheck[]): Promise<void> {
  await Promise.all(checks.map((check) => queryClient.prefetchQuery(accessQuery(check))))
}

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

/**
 * Asks again what was known about the rights in a namespace after a 403 there, and when the rules have changed; answers
 * how to stop.
 */
export function startAccess(client: QueryClient): () => void {
  const askAgain = (namespace: string) => void client.invalidateQueries({ queryKey: [accessKey, namespace] })
  const stopListening = onRefusal((refusal) => {
    // A refused review says nothing new, and would be asked again for ever.
    if (refusal.kind !== 'forbidden' || refusal.path.includes(`/apis/${selfSubjectAccessReviewType.group}/`)) return
    const [, namespace = ''] = /\/namespaces\/([^/?]+)\//.exec(refusal.path) ?? []
    askAgain(decodeURIComponent(namespace))
  })
  const known = new WeakMap<object, unknown>()
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    const [key, namespace] = query.queryKey as [unknown, string]
    if (key !== rulesKey || type !== 'updated' || query.state.status === 'pending') return
    const rules = query.state.status === 'error' ? null : query.state.data
    const before = known.get(query)
    known.set(query, rules)
    // The first answer comes together with those that it watches over, unless it is that there are no rules.
    if (before === undefined ? rules === null : rules !== before) askAgain(namespace)
  })
  return () => {
    stopListening()
    unsubscribe()
  }
}
