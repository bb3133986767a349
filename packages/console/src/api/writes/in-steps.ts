import { isAlreadyExists, isNotFound, isRejection } from '@slipway/kube/status'
import type { KubeObject } from '@slipway/kube/object'
import { requireConnection } from '../live/connectivity'
import { type AppliedWrite, dryRun, matchApplied, type Performer, WriteError } from './perform-writes'
import { maskWrite } from './secret-mask'
import { applyUndoably, readObject, rollBack, UncertainError, type Undoable } from './undo'
import { refOf, replace, type Write } from './writes'

/**
 * - `waiting`: nothing was sent yet
 * - `checking`, `checked`: its dry run
 * - `sending`, `done`: the write itself, or one of an earlier attempt
 * - `uncertain`: no response arrived, and whether it was applied could not be read
 * - `removed`: it was done for the sake of a later dry run, which was rejected
 */
export type StepState = 'waiting' | 'checking' | 'checked' | 'sending' | 'done' | 'failed' | 'uncertain' | 'removed'

export interface Step {
  /** The creation or patch that the caller asked for. */
  write: Write
  /** What is sent: that write, or the change of what an earlier attempt created. */
  sent: Write
  state: StepState
}

interface StepOptions {
  /**
   * Whether a cluster may accept the dry runs of later writes only once this one has been applied. It is then applied
   * early, and undone if a later dry run is rejected.
   */
  isPrerequisite: (write: Write) => boolean
  /** Called with all steps whenever one of them changes, without the values of Secrets: what is shown may outlive them. */
  onProgress: (steps: readonly Step[]) => void
}

/**
 * Creates or patches objects that depend on each other, in order (ADR 41): every dry run first, then every write, up to
 * the first failure. What was written stays, and another attempt continues from there: it creates only what is missing,
 * changes what has been edited since, and sends every patch that it is given.
 */
export function inSteps(options: StepOptions): Performer {
  const perform: Performer = (writes, { previous }) => performSteps(writes, previous, options)
  perform.plan = async (writes, { previous }) => (await planSteps(writes, previous)).flatMap(({ sent }) => sent ?? [])
  return perform
}

async function performSteps(
  creations: readonly Write[],
  previous: WriteError | undefined,
  { isPrerequisite, onProgress }: StepOptions,
): Promise<AppliedWrite[]> {
  requireConnection()
  const done = new Map<Write, AppliedWrite>()
  let steps: readonly Step[] = creations.map((write) => ({ write, sent: write, state: 'waiting' }))
  const report = () =>
    onProgress(steps.map((step) => ({ ...step, write: maskWrite(step.write), sent: maskWrite(step.sent) })))
  const set = (write: Write, state: StepState) => {
    steps = steps.map((step) => (step.write === write ? { ...step, state } : step))
    report()
  }
  /** What is in effect, whether from this attempt or an earlier one. */
  const inEffect = () => {
    const now = creations.flatMap((write) => done.get(write) ?? [])
    const before = (previous?.applied ?? []).filter(({ write }) => !now.some((each) => isSameObject(each.write, write)))
    return [...now, ...before]
  }
  const failure = (write: Write, cause: unknown, isRolledBack = false) => {
    const isUncertain = cause instanceof UncertainError
    set(write, isUncertain ? 'uncertain' : 'failed')
    const failures = [{ write, cause: isUncertain ? cause.cause : cause }]
    return new WriteError({ failures, applied: inEffect(), isUncertain, isRolledBack })
  }

  const plan = await planSteps(creations, previous).catch((error: unknown) => {
    if (error instanceof UnreadableError) throw failure(error.write, new UncertainError('', { cause: error.cause }))
    throw error
  })
  for (const { write, applied } of plan) if (applied) done.set(write, applied)
  steps = plan.map(({ write, sent, applied }) => ({ write, sent: sent ?? write, state: applied ? 'done' : 'waiting' }))
  report()
  const open = () => steps.filter(({ state }) => state !== 'done')

  const apply = async ({ write, sent }: Step): Promise<Undoable> => {
    set(write, 'sending')
    const applied = { ...(await applyUndoably(sent)), write }
    done.set(write, applied)
    set(write, 'done')
    return applied
  }
  const removeAgain = async (early: readonly Undoable[]) => {
    const kept = await rollBack(early)
    for (const { write } of early.filter((each) => !kept.some((one) => one.write === each.write))) {
      done.delete(write)
      set(write, 'removed')
    }
  }

  const early: Undoable[] = []
  for (const { write, sent } of open()) {
    let current = write
    set(write, 'checking')
    try {
      try {
        await dryRun(sent)
      } catch (cause) {
        const needed = open().filter((each) => each.state === 'checked' && isPrerequisite(each.write))
        if (needed.length === 0 || !isRejection(cause) || isAlreadyExists(cause)) throw cause
        for (const each of needed) {
          current = each.write
          early.push(await apply(each))
        }
        current = write
        await dryRun(sent)
      }
      set(write, 'checked')
    } catch (cause) {
      if (early.length > 0) await removeAgain(early)
      throw failure(current, cause, early.length > 0)
    }
  }
  for (const step of open()) {
    await apply(step).catch((cause: unknown) => {
      throw failure(step.write, cause)
    })
  }
  return creations.flatMap((each) => done.get(each) ?? [])
}

/** Whether a write for which no response arrived was applied could not be read. */
class UnreadableError extends Error {
  readonly write: Write
  constructor(write: Write, cause: unknown) {
    super('', { cause })
    this.write = write
  }
}

interface PlannedStep {
  write: Write
  /** `undefined` if there is nothing to send. */
  sent: Write | undefined
  applied?: AppliedWrite
}

/** What another attempt sends: nothing for what an earlier one created, unless it has been edited since. */
async function planSteps(creations: readonly Write[], previous?: WriteError): Promise<PlannedStep[]> {
  const applied = previous?.applied ?? []
  const equal = matchApplied(creations, applied)
  const steps: PlannedStep[] = []
  for (const write of creations) {
    // Its object existed before, so that it says nothing about the patch, and applying it twice does no harm.
    if (write.verb === 'patch') {
      steps.push({ write, sent: write })
      continue
    }
    const known = equal.get(write)
    const wasSent = (candidate: { write: Write }) => isSameObject(candidate.write, write)
    const isUncertain = previous?.isUncertain === true && previous.failures.some(wasSent)
    if (known) steps.push({ write, sent: undefined, applied: known })
    else if (isUncertain || applied.some(wasSent)) {
      const now = await readObject(write).catch((cause: unknown) => {
        if (isNotFound(cause)) return undefined
        throw new UnreadableError(write, cause)
      })
      const sent = now ? changeTo(now, write) : write
      const isDone = isUncertain && previous.failures.some((each) => matchApplied([write], [each]).size > 0)
      steps.push(now && isDone ? { write, sent: undefined, applied: { write, result: now } } : { write, sent })
    } else steps.push({ write, sent: write })
  }
  return steps
}

const isSameObject = (a: Write, b: Write): boolean =>
  a.type === b.type && refOf(a).name === refOf(b).name && refOf(a).namespace === refOf(b).namespace

/** Changes an object to what a creation asks for. What others have added to it stays. */
function changeTo(now: KubeObject & { spec?: object }, write: Write): Write {
  if (!('object' in write)) return write
  const wanted: KubeObject & { spec?: object } = write.object
  return replace(write.type, {
    ...now,
    metadata: {
      ...now.metadata,
      labels: { ...now.metadata.labels, ...wanted.metadata.labels },
      annotations: { ...now.metadata.annotations, ...wanted.metadata.annotations },
    },
    ...(wanted.spec && { spec: { ...now.spec, ...wanted.spec } }),
  })
}
