import { type KubeObject, uidOf } from '@slipway/kube/object'
import { useMutationState } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../api/query-client'

export interface ActionMessages {
  pending: string
  done: string
  failed: string
}

/** An action on an object, with the messages of its toast. */
interface ObjectAction {
  object: KubeObject
  messages: ActionMessages
  /** Shown in the toast after a success, such as a link: then the toast stays. A function is called after the success. */
  result?: ReactNode | (() => ReactNode)
}

const keyOf = (object: KubeObject) => ['object-action', uidOf(object)] as const

/**
 * Runs an action immediately, without a dialog; `ActionToasts` reports the outcome. The action is stored in the query
 * cache like all writes, and not in a component, since the menu that started it closes immediately.
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

/** Reports the success of a write that something else has sent, such as a form whose page is left. */
export const reportSuccess = (object: KubeObject, done: string, result?: ReactNode): void =>
  runAction(object, 'report', () => Promise.resolve(), { messages: { pending: done, done, failed: done }, result })

/** All actions that have not been dismissed, oldest first. */
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
