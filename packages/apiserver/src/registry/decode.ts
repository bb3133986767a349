import { isRecord } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { badRequest, type StatusError } from '../errors'
import { messageOf } from '../protobuf/kinds'
import { omitEmpty } from '../protobuf/omit-empty'
import { normalizeBase64 } from './base64'
import { readMetadata } from './metadata'
import type { AnyObject, ResourceInfo } from '../resource'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface DecodeOptions {
  fieldValidation: FieldValidation
  warn(text: string): void
  /** Error texts for duplicate members of the request body. */
  duplicates?: readonly string[]
  /** The error for unknown or duplicate members under Strict; by default, the error for a request body. */
  strictError?(texts: string, object: unknown): StatusError
}

/**
 * Decodes what a client sent, or the result of a patch, as an object of the kind: unknown members pruned, defaults
 * applied.
 * @throws StatusError 400 for another kind, members of the wrong type, or unknown members under Strict
 */
export function decode(resource: ResourceInfo, body: unknown, options: DecodeOptions): AnyObject {
  const { fieldValidation, warn, duplicates = [] } = options
  // Go decodes null as an empty object.
  const value = body === null ? {} : body
  const { kind, version } = resource.type
  const unhandled = (detail: string) =>
    badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${detail}`)
  const apiVersion = apiVersionOf(resource.type)
  if (!isRecord(value)) {
    const detail = value === undefined ? `: ${emptyBody}` : ''
    throw badRequest(`the object provided is unrecognized (must be of type ${kind})${detail}`)
  }
  if (value['kind'] !== undefined && value['kind'] !== kind) {
    throw badRequest(`${kindText(value)} cannot be handled as a ${kind}: the kind in the data does not match`)
  }
  if (value['apiVersion'] !== undefined && value['apiVersion'] !== apiVersion) {
    const given = textOf(value['apiVersion'])
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`)
  }
  const read = readMetadata(value['metadata'])
  if ('error' in read) {
    throw unhandled(read.error)
  }
  const object: AnyObject = { ...value, apiVersion, kind, metadata: read.metadata }
  const schema = resource.compiled()
  if (fieldValidation === 'Ignore') schema.prune(object)
  else {
    const unknown = [...new Set([...read.unknown, ...schema.unknownFields(object)])].sort()
    const texts = [...duplicates, ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`)]
    if (texts.length > 0 && fieldValidation === 'Strict') {
      const text = texts.join(', ')
      throw options.strictError?.(text, value) ?? unhandled(`strict decoding error: ${text}`)
    }
    texts.forEach(warn)
    // There is rarely anything to remove.
    if (unknown.length > 0) schema.prune(object)
  }
  for (const member of resource.bytes ?? []) {
    const error = normalizeBase64(object[member])
    if (error) throw unhandled(error)
  }
  // Before the types are checked, because clients send null for unset members.
  const message = resource.isCustom ? undefined : messageOf(apiVersion, kind)
  if (message) omitEmpty(message, object)
  schema.applyDefaults(object)
  // The code for built-in kinds relies on their types, which the client may have ignored.
  if (!resource.isCustom) {
    const wrong = schema.validate(object).find((cause) => cause.reason === 'FieldValueTypeInvalid')
    if (wrong) {
      throw unhandled(`${wrong.field}: ${wrong.message}`)
    }
  }
  return object
}

const emptyBody = "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"

const kindText = ({ kind, apiVersion }: Record<string, unknown>): string =>
  `${textOf(kind)} in version ${JSON.stringify(textOf(apiVersion))}`

/** Avoids `String`, which would call methods of the value. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
