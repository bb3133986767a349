import { selfSubjectAccessReviewType, selfSubjectRulesReviewType } from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { qualifiedPlural } from '@slipway/kube/resource-type'
import { ApiError, isRejection } from '@slipway/kube/status'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { type AccessCheck, accessReview, rulesReview } from './access-review'
import { client, onRefusal } from '../client'
import { createEmitter } from '../../lib/store'
import { isIdle } from '../live/idle'
import { queryClient } from '../query-client'
import { knownTypes, servedTypes } from '../served-types'

const accessKey = 'access'
/** How long a result counts, and how often it is rechecked where no rules review would show a change. */
const recheckMs = 30_000
/** The interval of those rechecks in an idle tab. */
const idleRecheckMs = 300_000
const rulesKey = 'access-rules'
const rulesMs = 20_000

/** The cluster's decision on one check; the query fails when the review does. Equal checks share one request. */
export function accessQuery(check: AccessCheck) {
  const { verb, type, namespace, subresource } = check
  return queryOptions({
    queryKey: [accessKey, namespace ?? '', type.group, type.plural, subresource ?? '', verb],
    queryFn: async ({ signal }) => {
      const [newest, ...others] = await servedTypes(type)
      // New objects are created in the newest group; existing ones may be in any.
      const reviews = [newest, ...(verb === 'create' ? [] : others)].map((served) =>
        client.create(selfSubjectAccessReviewType, accessReview({ ...check, type: served }), { signal }),
      )
      return (await Promise.all(reviews)).every(({ status }) => status?.allowed === true)
    },
    staleTime: recheckMs,
    // A control stays disabled while it waits, so a failed review is rechecked later instead of retried.
    retry: false,
    refetchInterval: ({ state }) => {
      if (state.status !== 'error' && areRulesKnown(namespace)) return false
      return isIdle() ? idleRecheckMs : recheckMs
    },
  })
}

/**
 * Everything the user may do in a namespace: one request shows whether any of the decisions on the page may have
 * changed, however many there are. It decides nothing itself, since a cluster may decide by more than its rules.
 */
export const rulesQuery = (namespace: string) =>
  queryOptions({
    queryKey: [rulesKey, namespace],
    queryFn: async ({ signal }) => {
      const { status } = await client.create(selfSubjectRulesReviewType, rulesReview(namespace), { signal })
      if (!status || status.incomplete) return null
      // Sorted, since the cluster returns the rules in a different order each time.
      return status.resourceRules
        .map((rule) => JSON.stringify(rule))
        .sort()
        .join('\n')
    },
    staleTime: rulesMs,
    retry: false,
    // A cluster that does not reveal its rules is not asked again.
    refetchInterval: ({ state }) => (isRejection(state.error) ? false : rulesMs),
  })

const areRulesKnown = (namespace: string | undefined): boolean => {
  if (!namespace) return false
  const rules = queryClient.getQueryState(rulesQuery(namespace).queryKey)
  // Until there is a response, one is expected.
  return rules === undefined || rules.status === 'pending' || (rules.status === 'success' && rules.data !== null)
}

/**
 * For loaders: checks everything that a page's controls need at once, so that the page appears with its controls in
 * their final state. Reporting a failed review is left to the control.
 */
export async function prefetchAccess(checks: readonly AccessCheck[]): Promise<void> {
  // Controls watch these for changes, and wait only for the results of the checks.
  for (const namespace of new Set(checks.flatMap(({ namespace }) => namespace ?? [])))
    void queryClient.prefetchQuery(rulesQuery(namespace))
  await Promise.all(checks.map((check) => queryClient.prefetchQuery(accessQuery(check))))
}

/**
 * For loaders: resolves only if every check is allowed.
 * @throws ApiError with code 403 for a denied check, or the error of a failed review, which is not a denial
 */
export async function requireAccess(checks: readonly AccessCheck[]): Promise<void> {
  await Promise.all(checks.map(requireOne))
}

async function requireOne(check: AccessCheck): Promise<void> {
  if (await queryClient.fetchQuery(accessQuery(check))) return
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    url: resourcePath(selfSubjectAccessReviewType),
    message: `You need permission to ${check.verb} ${knownTypes(check.type).map(qualifiedPlural).join(' and ')}.`,
  })
}

const accessChanges = createEmitter<[namespace: string, by: 'rules' | 'refusal']>()

/**
 * Calls back when the rules for the user in a namespace have changed, and for each refusal, which may be due to such a
 * change. Returns an unsubscribe function.
 */
export const onAccessChange = accessChanges.subscribe

/**
 * Rechecks the user's access to a namespace after a 403 there and when its rules have changed. Returns a function that
 * stops it.
 */
export function startAccess(client: QueryClient): () => void {
  const recheck = (namespace: string) => void client.invalidateQueries({ queryKey: [accessKey, namespace] })
  const stopListening = onRefusal((refusal) => {
    // A rejected review says nothing new, and would be repeated forever.
    if (refusal.kind !== 'forbidden' || refusal.path.includes(`/apis/${selfSubjectAccessReviewType.group}/`)) return
    const [, namespace = ''] = /\/namespaces\/([^/?]+)\//.exec(refusal.path) ?? []
    recheck(decodeURIComponent(namespace))
    accessChanges.emit(decodeURIComponent(namespace), 'refusal')
  })
  const known = new WeakMap<object, unknown>()
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    const [key, namespace] = query.queryKey as [unknown, string]
    if (key !== rulesKey || type !== 'updated' || query.state.status === 'pending') return
    const rules = query.state.status === 'error' ? null : query.state.data
    const before = known.get(query)
    known.set(query, rules)
    // The first rules arrive with the decisions they cover, which then need no recheck, unless there are no rules.
    if (before === undefined ? rules === null : rules !== before) recheck(namespace)
    if (before !== undefined && rules !== before) accessChanges.emit(namespace, 'rules')
  })
  return () => {
    stopListening()
    unsubscribe()
  }
}
