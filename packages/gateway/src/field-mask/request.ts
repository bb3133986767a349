import { HttpError } from '@slipway/connect/http-error'
import { badRequest } from '../http-error'
import type { ApiTarget } from '../target'
import { parseFieldMask, type FieldMask } from './mask'
import type { Layout } from './plan'

/** A request for some fields of objects. */
export interface MaskedRequest {
  mask: FieldMask
  layout: Exclude<Layout, 'event'>
  /** The target without the mask, for the upstream. */
  target: ApiTarget
}

const parameter = 'fieldMask'

/**
 * Parses the `fieldMask` of a request; returns `undefined` if there is none.
 * @throws HttpError 400 for a mask that is malformed or does not apply to objects, 406 if the client does not accept
 * plain JSON
 */
export function maskedRequest(target: ApiTarget, accept: string | undefined): MaskedRequest | undefined {
  const { parameters } = target
  if (!parameters.has(parameter)) return undefined
  const layout = layoutOf(target)
  if (parameters.has('includeObject')) throw badRequest(`${parameter} and includeObject cannot be combined.`)
  if (!acceptsJson(accept)) {
    throw new HttpError(
      406,
      `With ${parameter} the response is plain application/json, which the request does not accept.`,
    )
  }
  const mask = parseFieldMask(parameters.getAll(parameter))
  const others = target.query
    .slice(1)
    .split('&')
    .filter((pair) => nameOf(pair) !== parameter)
  return { mask, layout, target: { ...target, query: others.length > 0 ? `?${others.join('&')}` : '' } }
}

/** Decodes the name as the upstream would. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? ''

const layouts = { get: 'item', list: 'list', watch: 'watch' } as const

/** How objects are laid out in the response. @throws HttpError 400 if it does not consist of objects */
function layoutOf({ request: { verb, resource } }: ApiTarget): MaskedRequest['layout'] {
  if (resource?.group === 'results.tekton.dev') {
    throw badRequest(`${parameter} is not supported for results and records, since their objects are encoded.`)
  }
  if (!verb || (verb === 'get' && resource?.below[0] === 'log')) {
    throw badRequest(`${parameter} is only supported for objects, lists and watches.`)
  }
  if (verb in layouts) return layouts[verb as keyof typeof layouts]
  throw badRequest(`${parameter} is only supported with GET.`)
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
