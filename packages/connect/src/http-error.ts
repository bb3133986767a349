import { failureStatus, type Status } from '@slipway/kube/status'

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

/** An error with the response that a client gets for it, which has its message. */
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
