import { badRequest, HttpError } from '../http-error'
import type { Target } from '../target'
import { parseFieldMask, type FieldMask } from './mask'
import type { Layout } from './plan'

/** A request for some fields of objects. */
export interface MaskedRequest {
  mask: FieldMask
  layout: Exclude<Layout, 'event'>
  /** The target without the mask, for the upstream. */
  target: Target
}

const parameter = 'fieldMask'

/**
 * Parses the `fieldMask` of a request; returns `undefined` if there is none.
 * @throws HttpError 400 for a mask that is malformed or does not apply to objects, 406 if the client does not accept
 * plain JSON
 */
export function maskedRequest(method: string, target: Target, accept: string | undefined): MaskedRequest | undefined {
  const pairs = target.query.slice(1).split('&')
  const others = pairs.filter((pair) => nameOf(pair) !== parameter)
  if (others.length === pairs.length) return undefined
  if (method !== 'GET') throw badRequest(`${parameter} is only supported with GET.`)
  const query = new URLSearchParams(target.query)
  const layout = maskedLayout(target, query)
  if (query.has('includeObject')) throw badRequest(`${parameter} and includeObject cannot be combined.`)
  if (!acceptsJson(accept)) {
    throw new HttpError(
      406,
      `With ${parameter} the response is plain application/json, which the request does not accept.`,
    )
  }
  const mask = parseFieldMask(query.getAll(parameter))
  return { mask, layout, target: { ...target, query: others.length > 0 ? `?${others.join('&')}` : '' } }
}

/** Decodes the name as the upstream would. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? ''

/** Whether a list is watched. The API server takes any value except these as true and reads only the first one. */
export const isWatch = (query: URLSearchParams): boolean => /^(?!(?:false|0)$)/i.test(query.get('watch') ?? 'false')

function maskedLayout(target: Target, query: URLSearchParams): MaskedRequest['layout'] {
  const [root, group] = target.segments
  if (root === 'apis' && group === 'results.tekton.dev') {
    throw badRequest(`${parameter} is not supported for results and records, since their objects are encoded.`)
  }
  const layout = layoutOf(target, query)
  if (!layout) throw badRequest(`${parameter} is only supported for objects, lists and watches.`)
  return layout
}

/** How objects are laid out in the response to a GET; `undefined` if it does not consist of objects. */
export function layoutOf(
  { segments: [root, ...segments] }: Target,
  query: URLSearchParams,
): MaskedRequest['layout'] | undefined {
  const [first, ...rest] = root === 'apis' ? segments.slice(2) : root === 'api' ? segments.slice(1) : []
  const isNamespaced = first === 'namespaces' && rest.length > 1 && rest[1] !== 'status' && rest[1] !== 'finalize'
  const [plural, name, subresource] = isNamespaced ? rest.slice(1) : [first, ...rest]
  if (plural === undefined || subresource === 'log') return undefined
  if (first === 'watch') return 'watch'
  if (name !== undefined) return 'item'
  return isWatch(query) ? 'watch' : 'list'
}

/** Whether the client accepts plain JSON, as opposed to a table or protobuf. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const isJson = type === 'application/json' || type === 'application/*' || type === '*/*'
    return isJson && !parameters.some((each) => /^as=/.test(each) || /^q=0(\.0*)?$/.test(each))
  })
}
