import type { KubeObject } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { client } from './client'
import { mayPass } from './query-client'
import { requireConnection } from './connectivity'
import { create, describe, perform, refOf, refresh, remove, replace, type Write, type WriteResult } from './writes'

/** Some of several writes that do not depend on each other were refused; the others have been made or will not be. */
export class SeparateWritesError extends Error {
  readonly failures: readonly { write: Write; cause: unknown }[]
  /** Made for real, in this attempt or in an earlier one. */
  readonly done: readonly Write[]

  constructor(failures: readonly { write: Write; cause: unknown }[], done: readonly Write[]) {
    super(done.length > 0 ? 'The others have been made.' : 'Nothing was changed.')
    this.name = 'SeparateWritesError'
    this.failures = failures
    this.done = done
  }
}

/**
 * Answers how to make writes that do not depend on each other. Each goes as a dry run first; only when all are accepted
 * they are made, and one that fails then does not keep the others from being made. What has been made is not made
 * again by a second attempt, so that a form can be sent again as it is.
 * @throws SeparateWritesError with every failure
 */
export function separately(): (writes: readonly Write[]) => Promise<void> {
  const made = new Set<string>()
  return async (writes) => {
    requireConnection()
    const isMade = (write: Write) => made.has(JSON.stringify(write))
    const open = writes.filter((write) => !isMade(write))
    const failures: { write: Write; cause: unknown }[] = []
    for (const isDryRun of [true, false]) {
      for (const write of open) {
        try {
          const result = await perform(write, isDryRun)
          if (isDryRun) continue
          made.add(JSON.stringify(write))
          refresh(write, result)
        } catch (cause) {
          failures.push({ write, cause })
          if (!isDryRun && mayPass(cause)) refresh(write)
        }
      }
      if (failures.length > 0) throw new SeparateWritesError(failures, writes.filter(isMade))
    }
  }
}

/** One of several writes that belong together failed. `cause` is why. */
export class UndoneWritesError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'UndoneWritesError'
  }
}

/**
 * Makes all of several writes or none: every one as a dry run first, then each for real, in order; after a failure what
 * has been made is undone, the last first. A write that loses something therefore comes last.
 * @throws ApiError of a refused dry run, or of the first real write: nothing was changed
 * @throws UndoneWritesError when a later one fails; the message says how things stand now
 */
export async function allOrNone(writes: readonly Write[]): Promise<void> {
  requireConnection()
  for (const write of writes) await perform(write, true)
  const done: Done[] = []
  for (const write of writes) {
    try {
      const before = write.verb === 'create' ? undefined : await read(write)
      const result = await performForSure(write, before)
      done.unshift({ write, undo: inverse(write, before, result) })
      refresh(write, result)
    } catch (cause) {
      if (cause instanceof UnknownOutcome) {
        refresh(write)
        const before = done.map((each) => each.write).toReversed()
        throw new UndoneWritesError(
          standing('Done before that', before) + standing('It is not known whether this was done', [write]),
          cause.cause,
        )
      }
      if (done.length === 0) throw cause
      throw new UndoneWritesError(await rollBack(done), cause)
    }
  }
}

interface Done {
  write: Write
  undo: Write
}

class UnknownOutcome extends Error {}

/**
 * A write without an answer may have been made: the server is asked, since to undo the others might lose all.
 * @param before the object until then; `undefined` where there was none
 */
async function performForSure(write: Write, before: KubeObject | undefined): Promise<WriteResult | undefined> {
  try {
    return await perform(write, false)
  } catch (cause) {
    if (!mayPass(cause)) throw cause
    const now = await read(write).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw new UnknownOutcome('', { cause })
    })
    if (now?.metadata.resourceVersion === before?.metadata.resourceVersion) throw cause
    if ((write.verb === 'create' && now) || (write.verb === 'remove' && !now)) return undefined
    // It may be ours, or somebody else's change in the same moment.
    throw new UnknownOutcome('', { cause })
  }
}

const read = (write: Write): Promise<KubeObject> => {
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

/** Answers how things stand after it, for people. */
async function rollBack(done: readonly Done[]): Promise<string> {
  const left: Write[] = []
  for (const { write, undo } of done) {
    const result = await perform(undo, false).catch((error: unknown) => {
      if (!isNotFound(error)) left.push(write)
      return undefined
    })
    refresh(undo, result)
  }
  return left.length === 0 ? 'Everything is as it was before.' : standing('This could not be undone', left)
}

const standing = (words: string, writes: readonly Write[]): string =>
  writes.length === 0 ? '' : `${words}: ${writes.map(describe).join(', ')}. `
