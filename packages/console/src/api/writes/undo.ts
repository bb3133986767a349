import type { KubeObject } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { client } from '../client'
import { isTransient } from '../query-client'
import type { AppliedWrite } from './perform-writes'
import { create, refOf, refresh, remove, replace, sendWrite, type Write, type WriteResult } from './writes'

// Writes that can be undone, for performers that undo what they have applied.

export interface Undoable extends AppliedWrite {
  undo: Write
}

/** Applies one write, and updates the cache. @throws UncertainError */
export async function applyUndoably(write: Write): Promise<Undoable> {
  const before = write.verb === 'create' ? undefined : await readObject(write)
  const result = await applyForSure(write, before).catch((error: unknown) => {
    refresh(write)
    throw error
  })
  refresh(write, result)
  return { write, result, undo: inverse(write, before, result) }
}

/** A write got no response, and the server cannot say whether it was applied. */
export class UncertainError extends Error {}

/**
 * Applies a write, and reads the object again if there is no response: the write may have been applied, and then
 * undoing the others could lose data.
 * @param before the object before the write; `undefined` if there was none
 */
async function applyForSure(write: Write, before: KubeObject | undefined): Promise<WriteResult | undefined> {
  try {
    return await sendWrite(write)
  } catch (cause) {
    if (!isTransient(cause)) throw cause
    const now = await readObject(write).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw new UncertainError('', { cause })
    })
    if (now?.metadata.resourceVersion === before?.metadata.resourceVersion) throw cause
    if ((write.verb === 'create' && now) || (write.verb === 'remove' && !now)) return undefined
    // The change may be this one, or one by another user at the same moment.
    throw new UncertainError('', { cause })
  }
}

/** The object of a write, as it is now. */
export const readObject = (write: Write): Promise<KubeObject> => {
  const { namespace, name } = refOf(write)
  return client.get(write.type, name, { namespace })
}

function inverse(write: Write, before: KubeObject | undefined, result: WriteResult | undefined): Write {
  const { type } = write
  const after = result && 'metadata' in result ? (result as KubeObject).metadata : undefined
  if (!before) return remove(type, refOf(write), after?.uid ? { preconditions: { uid: after.uid } } : undefined)
  if (write.verb === 'remove') {
    const { name, namespace, labels, annotations } = before.metadata
    return create(type, { ...before, metadata: { name, namespace, labels, annotations } })
  }
  return replace(type, { ...before, metadata: { ...before.metadata, resourceVersion: after?.resourceVersion } })
}

/** Undoes writes, last first. @returns those that could not be undone */
export async function rollBack(done: readonly Undoable[]): Promise<AppliedWrite[]> {
  const notUndone: AppliedWrite[] = []
  for (const { write, result, undo } of done.toReversed()) {
    const undone = await sendWrite(undo).catch((error: unknown) => {
      if (!isNotFound(error)) notUndone.push({ write, result })
      return undefined
    })
    refresh(undo, undone)
  }
  return notUndone
}
