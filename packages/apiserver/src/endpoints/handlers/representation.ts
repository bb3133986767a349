import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Clock } from '@slipway/kube/clock'
import { badRequest, listMediaTypes, notAcceptable, notAcceptableObject, StatusError } from '../../errors'
import { gzipped } from '../../http/compression'
import { encodeBody, jsonType, responseOf, wantsProtobuf, wantsYaml, type Encoded } from '../../http/negotiation'
import { messageOf } from '../../protobuf/kinds'
import { itemOf, servedJson, type Version } from '../../registry/objects'
import type { AnyObject } from '../../resource'
import { includeObjectOf, representationOf } from '../../table/representation'
import { isList, metadataOf, tableOf } from '../../table/table'
import type { ResourceCall } from './call-options'
import type { listObjects } from './list'
import { createWarnings } from './warnings'

/** How a request wants its objects: whole, only their metadata, or as a table. @throws StatusError 400 or 406 */
export function representer(
  { request, url, resource, requestInfo }: ResourceCall,
  clock: Clock,
): (object: AnyObject | ReturnType<typeof listObjects>) => object {
  const accept = request.headers.get('accept')
  const representation =
    wantsYaml(accept) || isServedInProtobuf({ request, resource, requestInfo }) ? 'Object' : representationOf(accept)
  if (!representation) {
    if (resource.isCustom) throw notAcceptable()
    throw notAcceptableObject(['list', 'watch'].includes(requestInfo.verb) ? listMediaTypes : undefined)
  }
  if (representation === 'Object') {
    return (object) =>
      isList(object) ? { ...object, items: object.items.map((item) => itemOf(resource, item)) } : object
  }
  if (representation !== 'Table') {
    const wantsList = representation === 'PartialObjectMetadataList' && requestInfo.verb !== 'watch'
    return (object) => {
      if (isList(object) === wantsList) return metadataOf(object)
      const found = isList(object) ? `a list (${resource.listKind})` : `not a list (${resource.type.kind})`
      const message = `you requested ${representation}, but the requested object is ${found}`
      throw new StatusError(406, 'NotAcceptable', message)
    }
  }
  const value = url.searchParams.get('includeObject')
  const includeObject = includeObjectOf(value)
  if (!includeObject) {
    const detail = `Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`
    throw badRequest(`Unable to convert to Table as requested: includeObject: ${detail}`)
  }
  // In a watch, only the first event contains the column definitions.
  let noHeaders = false
  return (object) => {
    const table = tableOf(object, {
      type: resource.type,
      columns: resource.columns,
      isCustom: resource.isCustom,
      includeObject,
      noHeaders,
      now: clock.now(),
    })
    noHeaders = true
    return table
  }
}

export function respond(
  call: ResourceCall,
  code: number,
  body: object,
  warnings = createWarnings(call.resource.warnings).headers,
): Response {
  return respondWithText(call, code, encodeBody(body, call.request.headers.get('accept')), warnings)
}

/** A whole object, served without parsing it. */
export function respondWithStored(
  call: ResourceCall,
  code: number,
  stored: Version,
  warnings = createWarnings(call.resource.warnings).headers,
): Response {
  return respondWithText(call, code, { content: servedJson(call.resource, stored), mediaType: jsonType }, warnings)
}

function respondWithText(
  { request }: ResourceCall,
  code: number,
  { content, mediaType }: Encoded,
  warnings: readonly string[],
): Response {
  const init = { status: code, headers: headersOf(mediaType, warnings) }
  return gzipped(request, responseOf(content, init), content.length)
}

export const headersOf = (mediaType: string, warnings: readonly string[] = []): [string, string][] => [
  ['content-type', mediaType],
  ['cache-control', 'no-cache, private'],
  ...warnings.map((warning): [string, string] => ['warning', warning]),
]

/** True for whole objects in JSON. */
export const isServedAsStored = (call: ResourceCall): boolean =>
  isServedWhole(call.request) && !wantsYaml(call.request.headers.get('accept')) && !isServedInProtobuf(call)

/** Watches are always served in JSON. */
function isServedInProtobuf({
  request,
  resource,
  requestInfo,
}: Pick<ResourceCall, 'request' | 'resource' | 'requestInfo'>): boolean {
  if (requestInfo.verb === 'watch' || resource.isCustom || !wantsProtobuf(request.headers.get('accept'))) return false
  return messageOf(apiVersionOf(resource.type), resource.type.kind) !== undefined
}

/** True for whole objects: neither a table nor metadata only. */
export const isServedWhole = ({ headers }: Request): boolean => {
  const accept = headers.get('accept')
  return wantsYaml(accept) || representationOf(accept) === 'Object'
}
