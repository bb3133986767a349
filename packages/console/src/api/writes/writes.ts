import type { DeleteOptions, JsonPatchOperation, KubeClient } from '@slipway/kube/client'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Status } from '@slipway/kube/status'
import { client as cluster } from '../client'
import { requireNetwork } from '../live/connectivity'
import { isLive } from '../live/live-state'
import { getKey, keyPrefix } from '../queries'
import { queryClient } from '../query-client'

interface ObjectRef {
  namespace?: string
  name: string
}

/** One change of one object, as data: what a form wants, before anything is sent. */
export type Write =
  | { verb: 'create' | 'replace'; type: ResourceType; object: KubeObject }
  | { verb: 'patch'; type: ResourceType; ref: ObjectRef; patch: JsonPatchOperation[] }
  | { verb: 'remove'; type: ResourceType; ref: ObjectRef; options?: RemoveOptions }

export type RemoveOptions = Pick<DeleteOptions, 'propagationPolicy' | 'preconditions'>

export const create = <T extends KubeObject>(type: ResourceType<T>, object: T): Write => ({
  verb: 'create',
  type,
  object,
})

export const replace = <T extends KubeObject>(type: ResourceType<T>, object: T): Write => ({
  verb: 'replace',
  type,
  object,
})

export const patch = (type: ResourceType, ref: ObjectRef, patch: JsonPatchOperation[]): Write => ({
  verb: 'patch',
  type,
  ref,
  patch,
})

export const remove = (type: ResourceType, ref: ObjectRef, options?: RemoveOptions): Write => ({
  verb: 'remove',
  type,
  ref,
  options,
})

/** The object as it is stored now; of a delete the Status, or the object while finalizers keep it. */
export type WriteResult = KubeObject | Status

interface SendOptions {
  dryRun?: boolean
  signal?: AbortSignal
  /** The cluster by default. */
  client?: WriteClient
}

export type WriteClient = Pick<KubeClient, 'create' | 'replace' | 'patch' | 'delete'>

/** Sends one write. It does not update the cache (`refresh`), and it may undo another write, so it is tried in an outage too. */
export async function sendWrite(
  write: Write,
  { client = cluster, ...options }: SendOptions = {},
): Promise<WriteResult> {
  requireNetwork()
  const { type } = write
  switch (write.verb) {
    case 'create':
      return client.create(type, write.object, options)
    case 'replace':
      return client.replace(type, write.object, options)
    case 'patch':
      return client.patch(type, write.ref.name, write.patch, { namespace: write.ref.namespace, ...options })
    case 'remove':
      return client.delete(type, write.ref.name, { ...write.options, namespace: write.ref.namespace, ...options })
  }
}

export const refOf = (write: Write): ObjectRef =>
  'ref' in write ? write.ref : { namespace: write.object.metadata.namespace, name: nameOf(write.object) }

/**
 * Lists and counts of the kind in that namespace are read again, except by whom the change reaches through its live
 * connection; the object itself is known from the answer.
 */
export function refresh(write: Write, result?: WriteResult) {
  const { type } = write
  const { namespace, name } = refOf(write)
  for (const scope of new Set([namespace, undefined])) {
    for (const queryKey of [keyPrefix(type, scope, 'list'), keyPrefix(type, scope, 'count')]) {
      void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      void queryClient.refetchQueries({ queryKey, type: 'active', predicate: (query) => !isLive(query) })
    }
  }
  const key = getKey(type, namespace, name)
  if (write.verb === 'remove') {
    queryClient.removeQueries({ queryKey: key, exact: true, type: 'inactive' })
    // What is on screen stays there, and hears that it is gone.
    void queryClient.invalidateQueries({ queryKey: key, exact: true })
  } else if (result && queryClient.getQueryData(key)) queryClient.setQueryData(key, result)
  else void queryClient.invalidateQueries({ queryKey: key, exact: true })
}
