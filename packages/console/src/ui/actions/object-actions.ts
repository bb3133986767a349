import { type KubeObject, uidOf } from '@slipway/kube/object'
import { useMutationState } from '@tanstack/react-query'
import { queryClient } from '../../api/query-client'

type Known = readonly string[] | undefined

const keyOf = (object: KubeObject) => ['request', uidOf(object)] as const

/**
 * Asks something of an object at once, without a dialog; `ActionResult` tells what became of it. It is kept with the
 * other writes of the console and not by a component: the menu that asked for it is gone at once.
 * @param known uids of what was there before, where what comes of it is to be found among others
 */
export function runAction<N extends string>(
  object: KubeObject,
  name: N,
  perform: () => Promise<void>,
  known?: readonly string[],
) {
  const cache = queryClient.getMutationCache()
  const mutationKey = [...keyOf(object), name]
  // A double click sends one request.
  if (cache.find({ mutationKey, status: 'pending' })) return
  dismissActions(object)
  void cache
    .build<void, Error, Known, unknown>(queryClient, { mutationKey, mutationFn: perform })
    .execute(known)
    // Shown beside the object.
    .catch(() => undefined)
}

/** What was last asked of an object; `undefined` before anything was, and after it was dismissed. */
export function useActionState(object: KubeObject) {
  return useMutationState({
    filters: { mutationKey: keyOf(object) },
    select: ({ options, state: { status, error, variables } }) => ({
      name: String(options.mutationKey?.[2]),
      status,
      error,
      // As `request` has put it there.
      known: variables as Known,
    }),
  }).at(-1)
}

export function dismissActions(object: KubeObject) {
  const cache = queryClient.getMutationCache()
  for (const mutation of cache.findAll({ mutationKey: keyOf(object) })) cache.remove(mutation)
}
