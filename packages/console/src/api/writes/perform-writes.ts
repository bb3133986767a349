import { systemClock, type Clock } from '@slipway/kube/clock'
import type { KubeObject } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { replaceEqualDeep } from '@tanstack/react-query'
import { limitConcurrency } from '../../lib/limit-concurrency'
import { client } from '../client'
import { requireConnection } from '../live/connectivity'
import { isTransient } from '../query-client'
import { retrying } from './retrying'
import { create, refOf, refresh, remove, replace, sendWrite, type Write, type WriteResult } from './writes'

/**
 * How several writes are performed once every dry run is accepted:
 * - `in-order`: one after another, up to the first failure. A later write may need an earlier one.
 * - `parallel`: independent of each other, so a failure does not stop the others. All failures are reported.
 * - `separate`: the same, and each is sent as soon as its own dry run is accepted: a rejected one does not stop the others.
 * - `all-or-nothing`: in order; after a failure, the writes already applied are undone, last first. A write that loses
 *   data therefore belongs at the end.
 */
export type WriteStrategy = 'in-order' | 'parallel' | 'separate' | 'all-or-nothing'

export interface AppliedWrite {
  write: Write
  /** Missing when the response was lost and a later read showed that the write had been applied. */
  result?: WriteResult
}

export interface FailedWrite {
  write: Write
  cause: unknown
}

interface Outcome {
  strategy: WriteStrategy
  failures: readonly FailedWrite[]
  /** Writes of this attempt or an earlier one that are still in effect. */
  applied: readonly AppliedWrite[]
  /** Whether the writes applied before the failure were undone; those that could not be are in `applied`. */
  isRolledBack?: boolean
  /** Whether the server could not say if the failed write was applied. */
  isUncertain?: boolean
}

/** Not every write was applied. `write-messages.ts` puts it into words; `cause` is the first failure. */
export class WriteError extends Error implements Outcome {
  override readonly name = 'WriteError'
  readonly strategy: WriteStrategy
  readonly failures: readonly FailedWrite[]
  readonly applied: readonly AppliedWrite[]
  readonly isRolledBack: boolean
  readonly isUncertain: boolean

  constructor({ strategy, failures, applied, isRolledBack = false, isUncertain = false }: Outcome) {
    super(`${failures.length} of the writes failed`, { cause: failures[0]?.cause })
    this.strategy = strategy
    this.failures = failures
    this.applied = applied
    this.isRolledBack = isRolledBack
    this.isUncertain = isUncertain
  }
}

export interface PerformOptions {
  strategy?: WriteStrategy
  /** How many writes are sent at once by `parallel` and `separate`. */
  limit?: number
  /** Additional attempts for transient failures; only for writes that may safely be applied twice. */
  retries?: number
  /** Writes that an earlier attempt applied, from its `WriteError`: they are not sent again. */
  applied?: readonly AppliedWrite[]
  clock?: Clock
}

/**
 * Sends every write as a dry run, and sends them for real once all are accepted. A `separate` write waits only for its own.
 * @returns the server's responses, in the order of the writes
 * @throws WriteError when a dry run is rejected (nothing was changed) or a write fails
 * @throws DisconnectedError, without sending anything, while the browser is offline or the cluster does not respond
 */
export async function performWrites(
  writes: readonly Write[],
  { strategy = 'in-order', limit = 10, retries = 0, applied = [], clock = systemClock }: PerformOptions = {},
): Promise<AppliedWrite[]> {
  requireConnection()
  const earlier = matchApplied(writes, applied)
  const open = writes.filter((write) => !earlier.has(write))
  const results = new Map(earlier)
  const allApplied = () => writes.flatMap((write) => results.get(write) ?? [])
  const send = (write: Write, dryRun: boolean) => retrying(() => sendWrite(write, { dryRun }), { retries, clock })

  const isSeparate = strategy === 'separate'
  const atOnce = isSeparate || strategy === 'parallel' ? limit : 1
  const rejected = isSeparate ? [] : await forEach(open, atOnce, (write) => send(write, true))
  if (rejected.length > 0) throw new WriteError({ strategy, failures: rejected, applied: allApplied() })

  if (strategy === 'all-or-nothing') {
    for (const done of await applyOrUndo(open)) results.set(done.write, done)
    return allApplied()
  }
  const failures = await forEach(open, atOnce, async (write) => {
    if (isSeparate) await send(write, true)
    try {
      const result = await send(write, false)
      results.set(write, { write, result })
      refresh(write, result)
    } catch (error) {
      // Without a response the write may have been applied, so the lists are read again.
      if (isTransient(error)) refresh(write)
      throw error
    }
  })
  if (failures.length > 0) throw new WriteError({ strategy, failures, applied: allApplied() })
  return allApplied()
}

/** Pairs writes with equal ones that were applied before; each of those counts once. */
export function matchApplied(writes: readonly Write[], applied: readonly AppliedWrite[]): Map<Write, AppliedWrite> {
  const unmatched = [...applied]
  return new Map(
    writes.flatMap((write) => {
      const index = unmatched.findIndex((done) => replaceEqualDeep(done.write, write) === done.write)
      const [match] = index < 0 ? [] : unmatched.splice(index, 1)
      return match ? [[write, { ...match, write }] as const] : []
    }),
  )
}

/** Runs up to `limit` writes at once and returns the failures, in order. One at a time, it stops at the first. */
async function forEach(
  writes: readonly Write[],
  limit: number,
  run: (write: Write) => Promise<unknown>,
): Promise<FailedWrite[]> {
  const failures = new Map<Write, unknown>()
  await limitConcurrency(writes, limit, async (write) => {
    if (limit === 1 && failures.size > 0) return
    await run(write).catch((cause: unknown) => failures.set(write, cause))
  })
  return writes.filter((write) => failures.has(write)).map((write) => ({ write, cause: failures.get(write) }))
}

export interface Undoable extends AppliedWrite {
  undo: Write
}

async function applyOrUndo(writes: readonly Write[]): Promise<AppliedWrite[]> {
  const done: Undoable[] = []
  for (const write of writes) {
    try {
      const before = write.verb === 'create' ? undefined : await readObject(write)
      const result = await applyForSure(write, before)
      done.push({ write, result, undo: inverse(write, before, result) })
      refresh(write, result)
    } catch (error) {
      const isUncertain = error instanceof UncertainError
      const failures = [{ write, cause: isUncertain ? error.cause : error }]
      const outcome = { strategy: 'all-or-nothing', failures } as const
      if (isUncertain) {
        refresh(write)
        throw new WriteError({ ...outcome, applied: done, isUncertain })
      }
      throw new WriteError({ ...outcome, applied: await rollBack(done), isRolledBack: done.length > 0 })
    }
  }
  return done
}

/** A write got no response, and the server cannot say whether it was applied. */
export class UncertainError extends Error {}

/**
 * Applies a write, and reads the object again if there is no response: the write may have been applied, and then
 * undoing the others could lose data.
 * @param before the object before the write; `undefined` if there was none
 */
export async function applyForSure(write: Write, before: KubeObject | undefined): Promise<WriteResult | undefined> {
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

export function inverse(write: Write, before: KubeObject | undefined, result: WriteResult | undefined): Write {
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
