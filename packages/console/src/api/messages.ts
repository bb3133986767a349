import { ApiError, codeName } from '@slipway/kube/status'
import { SeparateWritesError, UndoneWritesError } from './write-plans'
import { PartialWriteError, refOf, type Write } from './writes'

/** An error as people read it. */
export interface Words {
  title: string
  body: string
  /** Where there are several, such as one for each object. */
  details?: string[]
}

const fallback = 'Something went wrong'

/** One sentence for any error; never empty. */
export function failureText(error: unknown, otherwise = fallback): string {
  if (error instanceof ApiError && error.isSessionEnd) return 'Your session has ended.'
  if (error instanceof ApiError && error.code === 0) return 'The server cannot be reached.'
  if (error instanceof ApiError) return error.message || codeName(error.code)
  return (error instanceof Error && error.message) || otherwise
}

/** For a panel or page that could not be read. @param thing as in 'Unable to load applications' */
export const loadFailure = (error: unknown, thing: string): Words => ({
  title: `Unable to load ${thing}`,
  body: failureText(error),
})

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
    return { title, body: `${submitFailure(error.cause)} ${error.message}`.trim() }
  }
  return { title, body: submitFailure(error) }
}

const objectName = (write: Write): string => `${write.type.kind} ${refOf(write).name}`

const submitFailure = (error: unknown): string => failureText(error, 'Failed to submit. Please try again.')
