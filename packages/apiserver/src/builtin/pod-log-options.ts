import { isTrue } from '@slipway/kube/api-request'
import type { StatusCause } from '@slipway/kube/status'
import { badRequest, invalidObject, notANumber } from '../errors'
import { forbidden, invalid, notSupported } from '../field-error'
import type { LogStream } from '../storage/logs'

/** Which part of a log to read. Source: PodLogOptions of Kubernetes, and its validation. */
export interface LogOptions {
  container: string | undefined
  follow: boolean
  previous: boolean
  timestamps: boolean
  tailLines: number | undefined
  limitBytes: number | undefined
  /** Lines before this time are omitted; milliseconds since 1970. */
  sinceMs: number | undefined
  stream: LogStream | 'All'
}

/** The query parameters that `logOptionsOf` reads. */
export const logQuery = [
  ...['container', 'follow', 'limitBytes', 'previous', 'sinceSeconds', 'sinceTime'],
  ...['stream', 'tailLines', 'timestamps'],
] as const

const streams = ['All', 'Stderr', 'Stdout'] as const

/** @throws StatusError 400 for malformed values, 422 for invalid ones */
export function logOptionsOf(query: URLSearchParams, pod: string, nowMs: number): LogOptions {
  const tailLines = integerOf(query, 'tailLines')
  const limitBytes = integerOf(query, 'limitBytes')
  const sinceSeconds = integerOf(query, 'sinceSeconds')
  const sinceTime = timeOf(query, 'sinceTime')
  const streamText = query.get('stream') || 'All'
  const stream = streams.find((known) => known === streamText)
  const causes: StatusCause[] = []
  if (tailLines !== undefined && tailLines < 0) {
    causes.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'))
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    causes.push(invalid('limitBytes', limitBytes, 'must be greater than 0'))
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    causes.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    causes.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  }
  if (!stream) causes.push(notSupported('stream', streamText, streams))
  else if (stream !== 'All' && tailLines !== undefined) {
    causes.push(forbidden('[]', '`tailLines` and specific `stream` are mutually exclusive for now'))
  }
  if (causes.length > 0 || !stream) throw invalidObject({ group: '', kind: 'PodLogOptions' }, pod, causes)
  return {
    container: query.get('container') || undefined,
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    tailLines,
    limitBytes,
    sinceMs: sinceTime ?? (sinceSeconds === undefined ? undefined : nowMs - sinceSeconds * 1000),
    stream,
  }
}

/** @throws StatusError 400 */
function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (!text) return undefined
  if (!/^[+-]?\d{1,15}$/.test(text)) throw notANumber(text)
  return Number(text)
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Milliseconds since 1970. @throws StatusError 400 */
export function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (!text) return undefined
  const timeMs = rfc3339.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(timeMs)) {
    const quoted = JSON.stringify(text)
    throw badRequest(`parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`)
  }
  return timeMs
}

/** The stream that a container writes to. @throws StatusError 400 */
export function writtenStreamOf(query: URLSearchParams): LogStream {
  const text = query.get('stream') || 'Stdout'
  if (text === 'Stdout' || text === 'Stderr') return text
  throw badRequest(`stream must be Stdout or Stderr, not ${text}`)
}
