import { lruCache } from './lru-cache'
import { badRequest } from './http-error'

/** A request target whose bytes mean the same to every reader: this gateway, its router, and the upstream. */
export interface Target {
  /** As it came: what is routed on is what is sent on. */
  readonly path: string
  /** The decoded segments of the path; a final slash adds none. */
  readonly segments: readonly string[]
  /** With its `?`, or empty. */
  readonly query: string
}

/** Origin form in printable ASCII, without what some readers take for a separator. */
const originForm = /^\/[\x21-\x7e]*$/
const separators = /[#\\]/
const brokenEscape = /%(?![0-9a-f]{2})/i

/**
 * Escapes that no honest client sends in a path: control characters, `%` (a second decoding), `/`, `\`, `;`, and the
 * characters that need no escape (`A-Z a-z 0-9 - . _ ~`). Without them decoding changes neither the route nor the
 * number of segments.
 */
const deceptiveEscape = /%(?:[01][0-9a-f]|25|2[def]|3[0-9b]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef])/i

/** Router, hooks, handler and log each ask for the target of one request. */
const readLately = lruCache<Target>(100)

/**
 * Reads the target of a request, byte for byte as it was sent.
 * @throws Refusal 400 for whatever could be read in two ways
 */
export function parseTarget(target: string): Target {
  const known = readLately.get(target)
  if (known) return known
  const read = readTarget(target)
  readLately.set(target, read)
  return read
}

function readTarget(target: string): Target {
  if (!originForm.test(target) || separators.test(target) || brokenEscape.test(target)) {
    throw badRequest('The request target is malformed.')
  }
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  if (path.includes(';') || deceptiveEscape.test(path)) {
    throw badRequest('The path has an ambiguous character or escape.')
  }
  const raw = path.slice(1).split('/')
  if (raw.at(-1) === '') raw.pop()
  const segments = raw.map(decodeSegment)
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw badRequest('The path has an empty or a dot segment.')
  }
  return { path, segments, query: mark < 0 ? '' : target.slice(mark) }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest('The path is not UTF-8.')
  }
}

/** The target under a prefix such as `/api/k8s`, or nothing when the path does not begin with it. */
export function targetUnder(prefix: string, target: Target): Target | undefined {
  const { path, segments, query } = target
  if (!path.startsWith(`${prefix}/`)) return undefined
  return { path: path.slice(prefix.length), segments: segments.slice(prefix.split('/').length - 1), query }
}
