import type { DeleteOptions, JsonPatchOperation } from '@slipway/kube/client'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Status } from '@slipway/kube/status'
import { client } from './client'
import { requireConnection, requireNetwork } from './connectivity'
import { isLive } from './live-state'
import { getKey, keyPrefix } from './queries'
import { mayPass, queryClient } from './query-client'

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

/** A later write of several failed: what the earlier ones did stays. `cause` is the failure itself. */
export class PartialWriteError extends Error {
  readonly done: readonly Write[]
  readonly failed: Write

  constructor(done: readonly Write[], failed: Write, cause: unknown) {
    super(`Done before that: ${done.map(describe).join(', ')}.`, { cause })
    this.name = 'PartialWriteError'
    this.done = done
    this.failed = failed
  }
}

export interface PerformOptions {
  signal?: AbortSignal
}

/**
 * Sends every write as a dry run, in order, and only when all are accepted sends them for real, in order. While it
 * runs, a second call with the same writes joins the first, so that a double click changes nothing twice.
 * @returns the server's answers, in the order of the writes
 * @throws ApiError of a refused dry run (nothing was changed) or of the first real write
 * @throws DisconnectedError without a call while the browser is offline or the cluster does not respond
 * @throws PartialWriteError when a real write fails after others have been made
 */
export function performWrites(writes: readonly Write[], { signal }: PerformOptions = {}): Promise<WriteResult[]> {
  const key = JSON.stringify(writes)
  const running = inFlight.get(key)
  if (running) return running
  const run = dryRunThenPerform(writes, signal).finally(() => inFlight.delete(key))
  inFlight.set(key, run)
  return run
}

const inFlight = new Map<string, Promise<WriteResult[]>>()

/** The object as it is stored now; of a delete the Status, or the object while finalizers keep it. */
export type WriteResult = KubeObject | Status

async function dryRunThenPerform(writes: readonly Write[], signal?: AbortSignal): Promise<WriteResult[]> {
  requireConnection()
  for (const write of writes) await perform(write, true, signal)
  const results: WriteResult[] = []
  for (const [index, write] of writes.entries()) {
    try {
      const result = await perform(write, false, signal)
      results.push(result)
      refresh(write, result)
    } catch (error) {
      // Without an answer nobody knows whether it was made: the lists must be asked.
      if (mayPass(error)) refresh(write)
      throw index === 0 ? error : new PartialWriteError(writes.slice(0, index), write, error)
    }
  }
  return results
}

/** Sends one write, and nothing else: what is cached knows nothing of it yet (`refresh`). It may undo another one, and so is tried in an outage too. */
export async function perform(write: Write, dryRun: boolean, signal?: AbortSignal): Promise<WriteResult> {
  requireNetwork()
  const { type } = write
  switch (write.verb) {
    case 'create':
      return client.create(type, write.object, { dryRun, signal })
    case 'replace':
      return client.replace(type, write.object, { dryRun, signal })
    case 'patch':
      return client.patch(type, write.ref.name, write.patch, { namespace: write.ref.namespace, dryRun, signal })
    case 'remove':
      return client.delete(type, write.ref.name, {
        ...write.options,
        namespace: write.ref.namespace,
        dryRun,
        signal,
      })
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

const pastTense = { create: 'created', replace: 'changed', patch: 'changed', remove: 'deleted' } as const

/** 'Application checkout was created' */
export const describe = (write: Write): string => {
  const { name } = refOf(write)
  return `${write.type.kind}${name ? ` ${name}` : ''} was ${pastTense[write.verb]}`
}
