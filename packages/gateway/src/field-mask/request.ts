import { badRequest, HttpError } from '../http-error'
import type { Target } from '../target'
import { parseFieldMask, type FieldMask } from './mask'
import type { Layout } from './plan'

/** A request for parts of objects. */
export interface MaskedRequest {
  mask: FieldMask
  layout: Exclude<Layout, 'event'>
  /** Without the mask: what the upstream is asked for. */
  target: Target
}

const parameter = 'fieldMask'

/**
 * What a request leaves out by a `fieldMask`; nothing when it has none.
 * @throws Refusal 400 for a mask that is malformed or meets no objects, 406 when its answer may not be plain JSON
 */
export function maskedRequest(method: string, target: Target, accept: string | undefined): MaskedRequest | undefined {
  const pairs = target.query.slice(1).split('&')
  const others = pairs.filter((pair) => nameOf(pair) !== parameter)
  if (others.length === pairs.length) return undefined
  if (method !== 'GET') throw badRequest(`${parameter} goes with GET alone.`)
  const asked = new URLSearchParams(target.query)
  const layout = layoutOf(target.segments, asked)
  if (asked.has('includeObject')) throw badRequest(`${parameter} and includeObject exclude each other.`)
  if (!acceptsJson(accept)) {
    throw new HttpError(
      406,
      `With ${parameter} the answer is plain application/json, which the request does not accept.`,
    )
  }
  const mask = parseFieldMask(asked.getAll(parameter))
  return { mask, layout, target: { ...target, query: others.length > 0 ? `?${others.join('&')}` : '' } }
}

/** Decoded as the upstream would. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? ''

/** Whether a list is watched. The API server takes any value but these for true, and looks at the first alone. */
export const isWatch = (query: URLSearchParams): boolean => /^(?!(?:false|0)$)/i.test(query.get('watch') ?? 'false')

function layoutOf([root, ...segments]: readonly string[], query: URLSearchParams): MaskedRequest['layout'] {
  if (root === 'apis' && segments[0] === 'results.tekton.dev') {
    throw badRequest(`${parameter} cannot look into results and records, which hold their objects encoded.`)
  }
  const [place, ...rest] = root === 'apis' ? segments.slice(2) : root === 'api' ? segments.slice(1) : []
  const isNamespaced = place === 'namespaces' && rest.length > 1 && rest[1] !== 'status' && rest[1] !== 'finalize'
  const [plural, name, subresource] = isNamespaced ? rest.slice(1) : [place, ...rest]
  if (plural === undefined || subresource === 'log') {
    throw badRequest(`${parameter} is for objects, their lists and watches.`)
  }
  if (place === 'watch') return 'watch'
  if (name !== undefined) return 'item'
  return isWatch(query) ? 'watch' : 'list'
}

/** Whether plain JSON is among what is accepted: no table of it, and no protobuf. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const isJson = type === 'application/json' || type === 'application/*' || type === '*/*'
    return isJson && !parameters.some((each) => /^as=/.test(each) || /^q=0(\.0*)?$/.test(each))
  })
}
