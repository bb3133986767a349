import { ApiError, codeName } from '@slipway/kube/status'

/** An error as users read it. */
export interface Message {
  title: string
  body: string
  /** One entry per failure, where there are several, such as one for each object. */
  details?: string[]
}

const fallback = 'Something went wrong'

/** Describes any error in one sentence; never empty. */
export function failureText(error: unknown, otherwise = fallback): string {
  if (error instanceof ApiError && error.isSessionEnd) return 'Your session has ended.'
  if (error instanceof ApiError && error.code === 0) return 'The server cannot be reached.'
  if (error instanceof ApiError) {
    const text = apiErrorText(error) || codeName(error.code)
    const request = reportedRequest(error)
    return request ? `${text.replace(/\.$/, '')} (request ${request})` : text
  }
  return (error instanceof Error && error.message) || otherwise
}

/** For a failure that only an operator can explain: what finds the request in the gateway's log. */
export const reportedRequest = ({ code, requestId }: ApiError): string | undefined =>
  code >= 500 ? requestId : undefined

/** The message of a failed call. Its URL, whose query may have 2,000 characters, is shortened to a readable path. */
export const apiErrorText = ({ message, url }: ApiError): string =>
  url ? message.replace(url, () => readablePath(url)) : message

function readablePath(url: string): string {
  const path = url.replace(/\?.*$/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path // A stray percent sign.
  }
}

/** Ends an error's text with the full stop that servers leave out, so that another sentence can follow. */
export const asSentence = (text: string): string => (/[.!?…:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

/** For a panel or page that could not be loaded. @param noun as in 'Unable to load applications' */
export const loadFailure = (error: unknown, noun: string): Message => ({
  title: `Unable to load ${noun}`,
  body: failureText(error),
})
