import { type AppliedWrite, dryRun, type Performer, startAttempt, WriteError } from './perform-writes'
import { applyUndoably, rollBack, UncertainError, type Undoable } from './undo'

/**
 * After every dry run, in order; after a failure, the writes already applied are undone, last first. A write that loses
 * data therefore belongs at the end.
 */
export const allOrNothing: Performer = async (writes, { previous }): Promise<AppliedWrite[]> => {
  const { each, applied } = startAttempt(writes, previous)
  const earlier = applied()
  await each(dryRun)
  const done: Undoable[] = []
  await each(async (write) => {
    const one = await applyUndoably(write)
    done.push(one)
    return one
  }).catch(async (error: unknown) => {
    if (!(error instanceof WriteError)) throw error
    const failures = error.failures.map((each) => ({ ...each, cause: reasonOf(each.cause) }))
    if (error.cause instanceof UncertainError)
      throw new WriteError({ failures, applied: [...earlier, ...done], isUncertain: true })
    const notUndone = await rollBack(done)
    throw new WriteError({
      failures,
      applied: [...earlier, ...notUndone],
      undone: done.filter(({ write }) => !notUndone.some((each) => each.write === write)),
      isRolledBack: done.length > 0,
    })
  })
  return applied()
}

const reasonOf = (cause: unknown): unknown => (cause instanceof UncertainError ? cause.cause : cause)
