import type { JsonPatchOperation } from '@slipway/kube/client'
import { versionCondition } from '@slipway/kube/json-patch'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError } from '@slipway/kube/status'
import { client } from '../client'
import { patch, sendWrite, type Write, type WriteResult } from './writes'

/** So many other clients may change an object in the moments between reading and patching it. */
const maxConflicts = 10

/**
 * Reads an object and patches it on condition that it is still what was read; if another client has changed it in
 * between, this starts over. The cache is not updated (`refresh`).
 * @param change the steps from the object as it is; none if it is as it should be
 * @returns the write with the server's response; `undefined` if there was nothing to change
 */
export async function updateObject<T extends KubeObject>(
  type: ResourceType<T>,
  ref: { namespace: string; name: string },
  change: (current: T) => JsonPatchOperation[],
): Promise<{ write: Write; result: WriteResult } | undefined> {
  let rejection: { error: unknown; version: string | undefined } | undefined
  for (let conflicts = 0; ; conflicts++) {
    const current = await client.get(type, ref.name, { namespace: ref.namespace })
    const version = current.metadata.resourceVersion
    if (rejection && (rejection.version === version || conflicts > maxConflicts)) throw rejection.error
    const steps = change(current)
    if (steps.length === 0) return undefined
    const write = patch(type, ref, [versionCondition(current), ...steps])
    try {
      return { write, result: await sendWrite(write) }
    } catch (error) {
      if (!mayBeConflict(error)) throw error
      rejection = { error, version }
    }
  }
}

/** With 422, a server says that a step does not apply, as when another client has already removed what it removes. */
const mayBeConflict = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 409 || error.code === 422)
