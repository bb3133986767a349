import { replaceEqualDeep } from '@tanstack/react-query'
import { limitConcurrency } from '../../lib/limit-concurrency'
import { requireConnection } from '../live/connectivity'
import { isTransient } from '../query-client'
import { refresh, sendWrite, type Write, type WriteResult } from './writes'

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
  failures: readonly FailedWrite[]
  /** Writes of this attempt or an earlier one that are still in effect. */
  applied: readonly AppliedWrite[]
  /** Whether a failure did not stop the other writes. */
  isIndependent?: boolean
  /** Whether the writes applied before the failure were undone; those that could not be are in `applied`. */
  isRolledBack?: boolean
  /** Those of them that were undone. */
  undone?: readonly AppliedWrite[]
  /** Whether the server could not say if the failed write was applied. */
  isUncertain?: boolean
}

/** Not every write was applied. `write-messages.ts` puts it into words; `cause` is the first failure. */
export class WriteError extends Error implements Outcome {
  override readonly name = 'WriteError'
  readonly failures: readonly FailedWrite[]
  readonly applied: readonly AppliedWrite[]
  readonly isIndependent: boolean
  readonly isRolledBack: boolean
  readonly undone: readonly AppliedWrite[]
  readonly isUncertain: boolean

  constructor(outcome: Outcome) {
    const { failures, applied, isIndependent = false, isRolledBack = false, undone = [], isUncertain = false } = outcome
    super(`${failures.length} of the writes failed`, { cause: failures[0]?.cause })
    this.failures = failures
    this.applied = applied
    this.isIndependent = isIndependent
    this.isRolledBack = isRolledBack
    this.undone = undone
    this.isUncertain = isUncertain
  }
}

/**
 * Performs the writes of a form: `inOrder`, `inParallel`, `separately`, `allOrNothing`, `inSteps` or `onDefinition`.
 * @returns the writes with the server's responses, in their order
 * @throws WriteError when a dry run is rejected or a write fails
 * @throws DisconnectedError, without sending anything, while the browser is offline or the cluster does not respond
 */
export interface Performer<Values = unknown> {
  (writes: readonly Write[], attempt: Attempt & { values: Values }): Promise<AppliedWrite[]>
  /** What would be sent now; the writes themselves if absent. */
  plan?: (writes: readonly Write[], attempt: Attempt) => Promise<Write[]>
}

interface Attempt {
  /** How the last attempt failed: what it applied is not sent again. */
  previous?: WriteError | undefined
}

const parallelLimit = 10

/** After every dry run, one after another up to the first failure. A later write may need an earlier one. */
export async function inOrder(writes: readonly Write[], { previous }: Attempt = {}): Promise<AppliedWrite[]> {
  const { each, applied } = startAttempt(writes, previous)
  await each(dryRun)
  await each(apply)
  return applied()
}

/** After every dry run, all at once: a failure does not stop the others. All failures are reported. */
export async function inParallel(writes: readonly Write[], { previous }: Attempt = {}): Promise<AppliedWrite[]> {
  const { each, applied } = startAttempt(writes, previous, { isIndependent: true })
  await each(dryRun)
  await each(apply)
  return applied()
}

/** Each as soon as its own dry run is accepted: a rejected one does not stop the others. All failures are reported. */
export async function separately(writes: readonly Write[], { previous }: Attempt = {}): Promise<AppliedWrite[]> {
  const { each, applied } = startAttempt(writes, previous, { isIndependent: true })
  await each(async (write) => {
    await dryRun(write)
    return apply(write)
  })
  return applied()
}

export async function dryRun(write: Write): Promise<void> {
  await sendWrite(write, { dryRun: true })
}

async function apply(write: Write): Promise<AppliedWrite> {
  try {
    const result = await sendWrite(write)
    refresh(write, result)
    return { write, result }
  } catch (error) {
    // Without a response the write may have been applied, so the lists are read again.
    if (isTransient(error)) refresh(write)
    throw error
  }
}

/** The writes of one attempt, of which those that an earlier one applied are left out. */
export function startAttempt(
  writes: readonly Write[],
  previous: WriteError | undefined,
  { isIndependent = false } = {},
) {
  requireConnection()
  const results = matchApplied(writes, previous?.applied ?? [])
  const open = writes.filter((write) => !results.has(write))
  const applied = () => writes.flatMap((write) => results.get(write) ?? [])
  /** Runs something for every write that is left, at once if they are independent, else up to the first failure. */
  const each = async (run: (write: Write) => Promise<AppliedWrite | void>) => {
    const failures = new Map<Write, unknown>()
    await limitConcurrency(open, isIndependent ? parallelLimit : 1, async (write) => {
      if (!isIndependent && failures.size > 0) return
      try {
        const done = await run(write)
        if (done) results.set(write, done)
      } catch (cause) {
        failures.set(write, cause)
      }
    })
    if (failures.size === 0) return
    const inTheirOrder = open.flatMap((write) => (failures.has(write) ? { write, cause: failures.get(write) } : []))
    throw new WriteError({ failures: inTheirOrder, applied: applied(), isIndependent })
  }
  return { open, each, applied }
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
