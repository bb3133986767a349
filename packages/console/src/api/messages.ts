import { ApiError, codeName } from '@slipway/kube/status'

/** An error as people read it. */
export interface Message {
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

/** The text of an error as a sentence that others may follow: servers leave out the full stop. */
export const asSentence = (text: string): string => (/[.!?…:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

/** For a panel or page that could not be read. @param noun as in 'Unable to load applications' */
export const loadFailure = (error: unknown, noun: string): Message => ({
  title: `Unable to load ${noun}`,
  body: failureText(error),
})
