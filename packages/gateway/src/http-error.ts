import type { IncomingMessage } from 'node:http'
import { codeName, type Status } from '@slipway/kube/status'

/** Kubernetes' word for each code, so that a client has one way to read failures. Source: meta/v1, StatusReason. */
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

/** A request that the gateway itself answers with a failure; its message reaches the client. */
export class HttpError extends Error {
  readonly code: number
  readonly headers: Record<string, string>
  /** One word, for the metrics: Kubernetes' own, unless a finer one was given. */
  readonly reason: string

  constructor(code: number, message: string, headers: Record<string, string> = {}, reason = reasonOf(code)) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.headers = headers
    this.reason = reason
  }

  get status(): Status {
    const { code, message } = this
    return {
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message,
      reason: reasonOf(code),
      code,
    }
  }
}

/** @throws Refusal 505 for what Node's parser lets through: a line of text that claims to be HTTP/2, or HTTP/0.9 */
export function checkVersion({ httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' || httpVersion === '1.0') return
  throw new HttpError(505, `HTTP/${httpVersion} is not spoken here.`, { connection: 'close' })
}

export const badRequest = (message: string) => new HttpError(400, message)
export const notFound = () => new HttpError(404, 'the server could not find the requested resource')
export const tooLarge = (limitBytes: number) =>
  new HttpError(413, `Request entity too large: limit is ${limitBytes}`, { connection: 'close' })

/** The one 401 that means "sign in again"; a 401 of an upstream never carries this mark. */
export const notSignedIn = () => new HttpError(401, 'Nobody is signed in.', { 'www-authenticate': 'Session' })

/**
 * The failure to answer for anything thrown. Only a Refusal and a client's fault may speak: other messages could tell
 * of the gateway's inside.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const code = (error as { statusCode?: unknown } | undefined)?.statusCode
  if (error instanceof Error && typeof code === 'number' && code >= 400 && code < 500) {
    return new HttpError(code, error.message || codeName(code))
  }
  return new HttpError(500, 'The gateway failed to handle this request.')
}
