import type { DeleteOptions, JsonPatchOperation, KubeClient } from '@slipway/kube/client'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import { asRecord } from '@slipway/kube/parse'
import { resourcePath } from '@slipway/kube/path'
import { apiVersionOf, qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { ApiError, ignoreMissing, type Status } from '@slipway/kube/status'
import { createEmitter } from '../../lib/store'
import { cluster } from '../client'
import { requireNetwork } from '../live/connectivity'
import { isLive } from '../live/live-state'
import { getKey, keyPrefix } from '../queries'
import { queryClient } from '../query-client'
import { servedTypes } from '../served-types'

interface ObjectRef {
  namespace?: string
  name: string
}

/** One change to one object, as data, before anything is sent. */
export type Write =
  | { verb: 'create' | 'replace'; type: ResourceType; object: KubeObject }
  | { verb: 'patch'; type: ResourceType; ref: ObjectRef; patch: JsonPatchOperation[] }
  | { verb: 'remove'; type: ResourceType; ref: ObjectRef; options?: RemoveOptions }

export const isSecret = ({ group, kind }: ResourceType): boolean => group === '' && kind === 'Secret'

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

/** The object as it is now stored; for a delete, the Status, or the object while finalizers delay its deletion. */
export type WriteResult = KubeObject | Status

interface SendOptions {
  dryRun?: boolean
  signal?: AbortSignal
  /** The cluster by default. */
  client?: WriteClient
}

export type WriteClient = Pick<KubeClient, 'create' | 'replace' | 'patch' | 'delete'>

/** Sends one write without updating the cache (`refresh`). It may undo another, so an outage does not block it. */
export async function sendWrite(
  write: Write,
  { client = cluster, ...options }: SendOptions = {},
): Promise<WriteResult> {
  requireNetwork()
  await assertNew(write, options.signal)
  return sendTo(client, await onServed(write, options.signal), options)
}

async function sendTo(
  client: WriteClient,
  write: Write,
  options: Pick<SendOptions, 'dryRun' | 'signal'>,
): Promise<WriteResult> {
  const { type } = write
  switch (write.verb) {
    case 'create':
      return client.create(type, write.object, options)
    case 'replace':
      // Its values were blank when it was read (ADR 40), and the cluster would store them like that.
      if (isSecret(type) && client === cluster && !options.dryRun)
        throw new Error('A Secret cannot be replaced by one that was read.')
      return client.replace(type, write.object, options)
    case 'patch':
      return client.patch(type, write.ref.name, write.patch, { namespace: write.ref.namespace, ...options })
    case 'remove':
      return client.delete(type, write.ref.name, { ...write.options, namespace: write.ref.namespace, ...options })
  }
}

export const refOf = (write: Write): ObjectRef =>
  'ref' in write ? write.ref : { namespace: write.object.metadata.namespace, name: nameOf(write.object) }

const written = createEmitter<[type: ResourceType, namespace: string, version: unknown]>()

/** Calls back with the version of each object that this tab has written. Returns an unsubscribe function. */
export const onWritten = written.subscribe

/**
 * Refetches lists and counts of the kind in that namespace, except lists that the change reaches through a live
 * connection. The object itself is taken from the response.
 */
export function refresh(write: Write, result?: WriteResult) {
  const { type } = write
  const { namespace, name } = refOf(write)
  written.emit(type, namespace ?? '', asRecord(result?.metadata).resourceVersion)
  for (const scope of new Set([namespace, undefined])) {
    for (const queryKey of [keyPrefix(type, scope, 'list'), keyPrefix(type, scope, 'count')]) {
      void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      void queryClient.refetchQueries({ queryKey, type: 'active', predicate: (query) => !isLive(query) })
    }
  }
  const key = getKey(type, namespace, name)
  if (write.verb === 'remove') {
    queryClient.removeQueries({ queryKey: key, exact: true, type: 'inactive' })
    // An object on screen stays there, and its refetch fails with a 404.
    void queryClient.invalidateQueries({ queryKey: key, exact: true })
  } else if (result && queryClient.getQueryData(key)) queryClient.setQueryData(key, result)
  else void queryClient.invalidateQueries({ queryKey: key, exact: true })
}

/** The same write in the group that serves the kind (ADR 62): new objects are in the newest, others in their own. */
export async function onServed(write: Write, signal?: AbortSignal): Promise<Write> {
  const types = await servedTypes(write.type)
  if ('ref' in write) {
    const { length } = types
    for (const [at, type] of types.entries())
      if (at === length - 1 || (await exists(type, write.ref, signal))) return { ...write, type }
    return write
  }
  const own = types.find((type) => write.verb === 'replace' && apiVersionOf(type) === write.object.apiVersion)
  const type = own ?? types[0]
  return { ...write, type, object: { ...write.object, apiVersion: apiVersionOf(type) } }
}

/**
 * To the platform, which knows objects by their names, one of the same name in another group is the same.
 * @throws ApiError if there is one
 */
async function assertNew(write: Write, signal?: AbortSignal): Promise<void> {
  if (write.verb !== 'create') return
  const { name, namespace } = write.object.metadata
  if (!name) return
  const [, ...others] = await servedTypes(write.type)
  for (const type of others) {
    if (!(await exists(type, { name, namespace }, signal))) continue
    throw new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      url: resourcePath(type, { name, namespace }),
      message: `${qualifiedPlural(type)} "${name}" already exists`,
    })
  }
}

const exists = async (
  type: ResourceType,
  { name, namespace }: { namespace?: string | undefined; name: string },
  signal: AbortSignal | undefined,
) => (await cluster.get(type, name, { namespace, signal }).catch(ignoreMissing)) !== undefined
