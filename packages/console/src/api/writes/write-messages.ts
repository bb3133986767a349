import { asSentence, failureText, type Message } from '../messages'
import { WriteError, type AppliedWrite, type FailedWrite } from './perform-writes'
import { refOf, type Write } from './writes'

// Separate from the other messages, which the first screen needs: that screen writes nothing.

/**
 * For the alert of a form or dialog whose writes failed.
 * @param nameOf what users call the subject of a write, where several can fail at once
 * @param failures those to report, when others are reported elsewhere
 */
export function writeFailure(
  error: unknown,
  nameOf: (write: Write) => string = objectName,
  failures: readonly FailedWrite[] = error instanceof WriteError ? error.failures : [],
): Message {
  const title = 'An error occurred'
  if (!(error instanceof WriteError)) return { title, body: submitFailure(error) }
  if (error.isIndependent) {
    const details = failures.map(({ write, cause }) => `${nameOf(write)}: ${submitFailure(cause)}`)
    const done = error.applied.map(({ write }) => nameOf(write))
    return { title, body: done.length > 0 ? `Succeeded: ${done.join(', ')}. Failed:` : 'Nothing was changed.', details }
  }
  const state = stateAfter(error)
  const cause = submitFailure((failures[0] ?? error).cause)
  return { title, body: state ? `${asSentence(cause)} ${state}` : cause }
}

/** Describes what is in effect after a failure; empty when the failed write was the first. */
function stateAfter({ applied, failures, isRolledBack, isUncertain }: WriteError): string {
  if (isRolledBack) return applied.length === 0 ? 'All changes were undone.' : listed('Could not be undone', applied)
  return [
    applied.length > 0 ? listed('Already done', applied) : [],
    isUncertain ? listed('Could not be confirmed', failures) : [],
  ]
    .flat()
    .join(' ')
}

const listed = (label: string, writes: readonly Pick<AppliedWrite, 'write'>[]): string =>
  `${label}: ${writes.map(({ write }) => describe(write)).join(', ')}.`

const pastTense = { create: 'created', replace: 'changed', patch: 'changed', remove: 'deleted' } as const

/** `Application checkout was created` */
function describe(write: Write): string {
  const { name } = refOf(write)
  return `${write.type.kind}${name ? ` ${name}` : ''} was ${pastTense[write.verb]}`
}

const objectName = (write: Write): string => `${write.type.kind} ${refOf(write).name}`

const submitFailure = (error: unknown): string => failureText(error, 'Failed to submit. Please try again.')
