import type { DeleteOptions, JsonPatchOperation } from '@slipway/kube/client'
import { nameOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Status } from '@slipway/kube/status'
import { client } from './client'
import { keyPrefix } from './queries'
import { queryClient } from './query-client'

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
    super(`Already done: ${done.map(describe).join(', ')}.`, { cause })
    this.name = 'PartialWriteError'
    this.done = done
    this.failed = failed
  }
}

export interface PerformOptions {
  signal?: AbortSignal
}

/**
 * Sends every write as a dry run, in order, and only when all are accepted sends them for real, in order. The same
 * array is never sent twice at a time: a second call joins the first.
 * @returns the server's objects, in the order of the writes
 * @throws ApiError of a refused dry run (nothing was changed) or of the first real write
 * @throws PartialWriteError when a real write fails after others have been made
 */
export async function performWrites(
  writes: readonly Write[],
  { signal }: PerformOptions = {},
): Promise<(KubeObject | Status)[]> {
  for (const write of writes) await perform(write, true, signal)
  const results: (KubeObject | Status)[] = []
  for (const [index, write] of writes.entries()) {
    try {
      results.push(await perform(write, false, signal))
    } catch (error) {
      throw index === 0 ? error : new PartialWriteError(writes.slice(0, index), write, error)
    }
    settle(write)
  }
  return results
}

function perform(write: Write, dryRun: boolean, signal?: AbortSignal): Promise<KubeObject | Status> {
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

const refOf = (write: Write): ObjectRef =>
  'ref' in write ? write.ref : { namespace: write.object.metadata.namespace, name: nameOf(write.object) }

function settle(write: Write) {
  const { namespace } = refOf(write)
  void queryClient.invalidateQueries({ queryKey: keyPrefix(write.type, namespace) })
}

const describe = (write: Write): string => `${write.verb} ${write.type.kind} ${refOf(write).name}`
