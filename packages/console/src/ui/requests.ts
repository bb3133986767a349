import { type KubeObject, uidOf } from '@slipway/kube/object'
import { useMutationState } from '@tanstack/react-query'
import { queryClient } from '../api/query-client'

const keyOf = (object: KubeObject) => ['request', uidOf(object)] as const

/**
 * Asks something of an object at once, without a dialog; `RequestOutcome` tells what became of it. It is kept with the
 * other writes of the console and not by a component: the menu that asked for it is gone at once.
 */
export function request<N extends string>(object: KubeObject, name: N, perform: () => Promise<void>) {
  forgetRequests(object)
  void queryClient
    .getMutationCache()
    .build(queryClient, { mutationKey: [...keyOf(object), name], mutationFn: perform })
    .execute(undefined)
    // Shown beside the object.
    .catch(() => undefined)
}

/** What was last asked of an object; `undefined` before anything was, and after it was dismissed. */
export function useRequest(object: KubeObject) {
  return useMutationState({
    filters: { mutationKey: keyOf(object) },
    select: ({ options, state: { status, error } }) => ({ name: String(options.mutationKey?.[2]), status, error }),
  }).at(-1)
}

export function forgetRequests(object: KubeObject) {
  const cache = queryClient.getMutationCache()
  for (const mutation of cache.findAll({ mutationKey: keyOf(object) })) cache.remove(mutation)
}
