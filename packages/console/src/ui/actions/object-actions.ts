import { type KubeObject, uidOf } from '@slipway/kube/object'
import { useMutationState } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../api/query-client'

export interface RequestMessages {
  pending: string
  done: string
  failed: string
}

/** A request, and what its toast says of it. */
interface Request {
  object: KubeObject
  messages: RequestMessages
  /** What has come of it, once it was granted. */
  result?: ReactNode
}

const keyOf = (object: KubeObject) => ['request', uidOf(object)] as const

/**
 * Asks something of an object at once, without a dialog; `RequestToasts` reports the outcome. It is kept with the other
 * writes of the console and not by a component: the menu that asked for it is gone at once.
 */
export function runAction(
  object: KubeObject,
  name: string,
  perform: () => Promise<void>,
  report: Omit<Request, 'object'>,
) {
  const cache = queryClient.getMutationCache()
  const mutationKey = [...keyOf(object), name]
  // A double click sends one request.
  if (cache.find({ mutationKey, status: 'pending' })) return
  dismissActions(object)
  void cache
    .build<void, Error, Request, unknown>(queryClient, { mutationKey, mutationFn: perform })
    .execute({ object, ...report })
    // Shown in the toast.
    .catch(() => undefined)
}

/** All that were made and not yet dismissed, the first first. */
export const useRequests = () =>
  useMutationState({
    filters: { mutationKey: ['request'] },
    select: ({ mutationId, state: { status, error, variables } }) => ({
      id: mutationId,
      status,
      error,
      // As `runAction` has put it there.
      ...(variables as Request),
    }),
  })

export function dismissActions(object: KubeObject) {
  const cache = queryClient.getMutationCache()
  for (const mutation of cache.findAll({ mutationKey: keyOf(object) })) cache.remove(mutation)
}
