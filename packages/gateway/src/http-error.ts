import type { IncomingMessage } from 'node:http'
import { codeName, failureStatus, type Status } from '@slipway/kube/status'

/** Kubernetes' reason for each code, so that clients read all errors the same way. Source: meta/v1, StatusReason. */
const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  502: 'ServiceUnavailable',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const reasonOf = (code: number): string => reasons[code] ?? (code < 500 ? 'BadRequest' : 'InternalError')

/** An error response of the gateway itself; the client sees its message. */
export class HttpError extends Error {
  readonly code: number
  readonly headers: Record<string, string>
  /** Label for the metrics: Kubernetes' reason, unless a more specific one is given. */
  readonly reason: string

  constructor(code: number, message: string, headers: Record<string, string> = {}, reason = reasonOf(code)) {
    super(message)
    this.name = 'HttpError'
    this.code = code
    this.headers = headers
    this.reason = reason
  }

  get status(): Status {
    return failureStatus(this.code, reasonOf(this.code), this.message)
  }
}

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
