import { ApiError, codeName } from '@slipway/kube/status'
import { PartialWriteError } from './writes'

/** An error as people read it. */
export interface Words {
  title: string
  body: string
}

const fallback = 'Something went wrong'

/** One sentence for any error; never empty. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError && error.code === 0) return 'The server cannot be reached.'
  if (error instanceof ApiError) return error.message || codeName(error.code)
  return (error instanceof Error && error.message) || fallback
}

/** For a panel or page that could not be read. @param thing as in 'Unable to load applications' */
export const loadFailure = (error: unknown, thing: string): Words => ({
  title: `Unable to load ${thing}`,
  body: failureText(error),
})

/** For the alert of a form or dialog whose writes failed. */
export const writeFailure = (error: unknown): Words => ({
  title: 'An error occurred',
  body: error instanceof PartialWriteError ? `${failureText(error.cause)} ${error.message}` : failureText(error),
})
