import { asSentence, failureText, type Words } from './messages'
import { SeparateWritesError, UndoneWritesError } from './write-plans'
import { PartialWriteError, refOf, type Write } from './writes'

// Apart from the other messages, which the first screen needs: nothing is written there.

/**
 * For the alert of a form or dialog whose writes failed.
 * @param nameOf what people call that which a write is about, where several can fail at once
 */
export function writeFailure(error: unknown, nameOf: (write: Write) => string = objectName): Words {
  const title = 'An error occurred'
  if (error instanceof SeparateWritesError) {
    const details = error.failures.map(({ write, cause }) => `${nameOf(write)}: ${submitFailure(cause)}`)
    const done = error.done.map(nameOf)
    return { title, body: done.length > 0 ? `Done: ${done.join(', ')}. Not done:` : error.message, details }
  }
  if (error instanceof PartialWriteError || error instanceof UndoneWritesError) {
    return { title, body: `${asSentence(submitFailure(error.cause))} ${error.message}`.trim() }
  }
  return { title, body: submitFailure(error) }
}

const objectName = (write: Write): string => `${write.type.kind} ${refOf(write).name}`

const submitFailure = (error: unknown): string => failureText(error, 'Failed to submit. Please try again.')
