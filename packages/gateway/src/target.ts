import type { ApiRequest } from '@slipway/kube/api-request'
import { badRequest } from './http-error'

/** A request target whose bytes mean the same to every reader: this gateway, its router, and the upstream. */
export interface Target {
  /** As received: what is routed on is what is forwarded. */
  readonly path: string
  /** The decoded segments of the path; a trailing slash adds none. */
  readonly segments: readonly string[]
  /** With its `?`, or empty. */
  readonly query: string
}

/** A target in an API with Kubernetes' paths. */
export interface ApiTarget extends Target {
  readonly request: ApiRequest
  readonly parameters: URLSearchParams
}

/** Origin form in printable ASCII; `separators` are characters that some programs take for a separator. */
const originForm = /^\/[\x21-\x7e]*$/
const separators = /[#\\]/
const brokenEscape = /%(?![0-9a-f]{2})/i

/**
 * Escapes that no honest client sends in a path: control characters, `%` (double encoding), `/`, `\`, `;`, and
 * characters that need no escape (`A-Z a-z 0-9 - . _ ~`). Without them, decoding changes neither the route nor the
 * number of segments.
 */
const deceptiveEscape = /%(?:[01][0-9a-f]|25|2[def]|3[0-9b]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef])/i

/**
 * Parses the target of a request, byte for byte as it was sent.
 * @throws HttpError 400 for anything ambiguous
 */
export function parseTarget(target: string): Target {
  if (!originForm.test(target) || separators.test(target) || brokenEscape.test(target)) {
    throw badRequest('The request target is malformed.')
  }
  const queryStart = target.indexOf('?')
  const path = queryStart < 0 ? target : target.slice(0, queryStart)
  if (path.includes(';') || deceptiveEscape.test(path)) {
    throw badRequest('The path contains an ambiguous character or escape.')
  }
  const raw = path.slice(1).split('/')
  if (raw.at(-1) === '') raw.pop()
  const segments = raw.map(decodeSegment)
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw badRequest('The path contains an empty segment or a dot segment.')
  }
  return { path, segments, query: queryStart < 0 ? '' : target.slice(queryStart) }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest('The path is not valid UTF-8.')
  }
}

/** The target below a prefix such as `/api/k8s`; `undefined` if the path does not start with it. */
export function targetUnder(prefix: string, target: Target): Target | undefined {
  const { path, segments, query } = target
  if (!path.startsWith(`${prefix}/`)) return undefined
  return { path: path.slice(prefix.length), segments: segments.slice(prefix.split('/').length - 1), query }
}
