import { asText } from './parse'

/** Failure responses of a Kubernetes API. Source: k8s.io/apimachinery, meta/v1 Status. */

export interface StatusCause {
  reason?: string
  message?: string
  field?: string
}

export interface Status {
  apiVersion: 'v1'
  kind: 'Status'
  metadata: { continue?: string }
  status: 'Success' | 'Failure'
  message?: string
  reason?: string
  details?: {
    name?: string
    group?: string
    kind?: string
    uid?: string
    causes?: StatusCause[]
    retryAfterSeconds?: number
  }
  code?: number
}

/** The Status of a failed call. */
export const failureStatus = (code: number, reason: string, message: string, details?: Status['details']) =>
  ({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  }) satisfies Status

export const isStatus = (value: unknown): value is Status =>
  typeof value === 'object' && value !== null && (value as Status).kind === 'Status'

/** Names of HTTP error codes. Source: IANA, "HTTP Status Code Registry"; specification 1, section 8. */
const codeNames: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  511: 'Network Authentication Required',
}

/** Standard name of an HTTP code, or `HTTP {code}` for an unlisted one. */
export const codeName = (code: number): string => codeNames[code] ?? `HTTP ${code}`

/**
 * The error of every call to a cluster. `code` is the HTTP code, 0 without a response
 * (network failure), 408 if the client's own time-out ended the call.
 */
export class ApiError extends Error {
  readonly code: number
  readonly reason: string
  readonly url: string
  readonly status: Status | undefined
  /** True if the gateway itself, not an upstream, reports that no user is signed in. */
  readonly isSessionEnd: boolean
  /** Id of the request in the gateway's log. */
  readonly requestId: string | undefined
  /** How long the server asks clients to wait; 0 if it does not say. */
  readonly retryAfterMs: number

  constructor(init: {
    code: number
    message: string
    url: string
    reason?: string
    status?: Status
    isSessionEnd?: boolean
    /** The `Retry-After` header; the Status takes precedence. */
    retryAfter?: string | null
    /** The `X-Request-Id` header. */
    requestId?: string | null
    cause?: unknown
  }) {
    super(init.message, { cause: init.cause })
    this.name = 'ApiError'
    this.code = init.code
    this.reason = init.reason ?? init.status?.reason ?? ''
    this.url = init.url
    this.status = init.status
    this.isSessionEnd = init.isSessionEnd ?? false
    this.requestId = init.requestId ?? undefined
    this.retryAfterMs = waitMs(init.status?.details?.retryAfterSeconds ?? init.retryAfter)
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 404
/** An object of the same name exists; a 409 for another reason is a conflict of versions. */
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'AlreadyExists'
/** Whether the object has another version than the one that was to be changed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 409 && error.reason === 'Conflict'

/** For creations with a deterministic name: the object may already exist from an earlier attempt or another program. */
export function ignoreExisting(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error
}

/** For deletions of objects that may already be deleted, and reads of objects that may not exist. */
export function ignoreMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.code === 403
/** The server rejected the request, and sending it again would give the same result. */
export const isRejection = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code >= 400 && error.code < 500 && ![408, 429].includes(error.code)
/** No response arrived in time, whether the client or an intermediary gave up. */
export const isTimeout = (error: unknown): boolean => error instanceof ApiError && [408, 504].includes(error.code)
/** The server no longer has this resourceVersion or continue token. */
export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone')

/** How long the server asks clients to wait; 0 if it does not say, and for any other error. */
export const retryAfterMs = (error: unknown): number => (error instanceof ApiError ? error.retryAfterMs : 0)

/** Upper limit, whatever a server says: browsers run a timer of several weeks immediately. */
const longestWaitMs = 5 * 60_000

function waitMs(seconds: unknown): number {
  const ms = Number(seconds) * 1_000
  return ms > 0 ? Math.min(ms, longestWaitMs) : 0
}

/**
 * The message for a failed response (specification 1, section 8, in its order):
 * 401, 403, first cause, message, error, status text.
 * @param body the parsed JSON body, or `undefined` if it was not JSON
 */
export function failureMessage(code: number, statusText: string, body: unknown): string {
  const text = statusText || codeName(code)
  if (code === 401) return 'Invalid token'
  if (typeof body !== 'object' || body === null) {
    return code === 403 ? 'Access denied due to cluster policy.' : text
  }
  // Any field may have an unexpected type.
  const { message, error, details } = body as {
    message?: unknown
    error?: unknown
    details?: { causes?: unknown } | null
  }
  if (code === 403) return asText(message) ?? 'Access denied due to cluster policy.'
  const causes: unknown[] = Array.isArray(details?.causes) ? details.causes : []
  const cause = (causes[0] ?? {}) as { message?: unknown; field?: unknown }
  if (asText(cause.message) && asText(cause.field)) return `Error "${cause.message}" for field "${cause.field}".`
  return asText(message) ?? asText(error) ?? text
}
