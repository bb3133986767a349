import type { IncomingMessage } from 'node:http'
import { HttpError } from '@slipway/connect/http-error'
import { codeName } from '@slipway/kube/status'

/** @throws HttpError 505 for request lines that Node's parser accepts: HTTP/0.9, or HTTP/2 in plain text */
export function checkVersion({ httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' || httpVersion === '1.0') return
  throw new HttpError(505, `HTTP/${httpVersion} is not supported.`, { connection: 'close' })
}

export const badRequest = (message: string) => new HttpError(400, message)
export const notFound = () => new HttpError(404, 'the server could not find the requested resource')
export const tooLarge = (limitBytes: number) =>
  new HttpError(413, `Request entity too large: limit is ${limitBytes}`, { connection: 'close' })

/** The only 401 that means "sign in again"; a 401 from an upstream never has this header. */
export const notSignedIn = () => new HttpError(401, 'You are not signed in.', { 'www-authenticate': 'Session' })

/**
 * The error response for anything thrown. Only an HttpError and client errors keep their message: others could reveal
 * internals of the gateway.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const code = (error as { statusCode?: unknown } | undefined)?.statusCode
  if (error instanceof Error && typeof code === 'number' && code >= 400 && code < 500) {
    return new HttpError(code, error.message || codeName(code))
  }
  return new HttpError(500, 'The gateway failed to handle this request.')
}
