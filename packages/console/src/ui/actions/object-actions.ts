import { type KubeObject, uidOf } from '@slipway/kube/object'
import { useMutationState } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../api/query-client'

export interface ActionMessages {
  pending: string
  done: string
  failed: string
}

/** Something that is done to an object, and what its toast says. */
interface ObjectAction {
  object: KubeObject
  messages: ActionMessages
  /** What has come of it, once it has succeeded. */
  result?: ReactNode
}

const keyOf = (object: KubeObject) => ['object-action', uidOf(object)] as const

/**
 * Asks something of an object at once, without a dialog; `ActionToasts` reports the outcome. It is kept with the other
 * writes of the console and not by a component: the menu that asked for it is gone at once.
 */
export function runAction(
  object: KubeObject,
  name: string,
  perform: () => Promise<void>,
  report: Omit<ObjectAction, 'object'>,
) {
  const cache = queryClient.getMutationCache()
  const mutationKey = [...keyOf(object), name]
  // A double click sends one request.
  if (cache.find({ mutationKey, status: 'pending' })) return
  dismissActions(object)
  void cache
    .build<void, Error, ObjectAction, unknown>(queryClient, { mutationKey, mutationFn: perform })
    .execute({ object, ...report })
    // Shown in the toast.
    .catch(() => undefined)
}

/** All that have not been dismissed, the oldest first. */
export const useObjectActions = () =>
  useMutationState({
    filters: { mutationKey: ['object-action'] },
    select: ({ mutationId, state: { status, error, variables } }) => ({
      id: mutationId,
      status,
      error,
      // As `runAction` has put it there.
      ...(variables as ObjectAction),
    }),
  })

export function dismissActions(object: KubeObject) {
  const cache = queryClient.getMutationCache()
  for (const mutation of cache.findAll({ mutationKey: keyOf(object) })) cache.remove(mutation)
}
