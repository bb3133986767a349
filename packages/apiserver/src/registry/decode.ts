import { isRecord } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { badRequest, type StatusError } from '../errors'
import { messageOf } from '../protobuf/kinds'
import { omitEmpty } from '../protobuf/omit-empty'
import { readMetadata } from './metadata'
import type { AnyObject, ResourceInfo } from './resource'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface DecodeOptions {
  fieldValidation: FieldValidation
  warn(text: string): void
  /** Members that the body of the request has twice, each as an error text. */
  duplicates?: readonly string[]
  /** The refusal of members that are unknown or there twice, under Strict; by default that of a body. */
  strictError?(texts: string, object: unknown): StatusError
}

/**
 * An object of the kind out of what a client sent (or what a patch made): known members only, defaults filled in.
 * @throws StatusError 400 for another kind, for members of a wrong type, and for unknown members under Strict
 */
export function decode(info: ResourceInfo, given: unknown, options: DecodeOptions): AnyObject {
  const { fieldValidation, warn, duplicates = [] } = options
  // Go reads null as nothing said.
  const value = given === null ? {} : given
  const { kind, version } = info.type
  const unhandled = (why: string) =>
    badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`)
  const apiVersion = apiVersionOf(info.type)
  if (!isRecord(value)) {
    const problem = value === undefined ? `: ${emptyBody}` : ''
    throw badRequest(`the object provided is unrecognized (must be of type ${kind})${problem}`)
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
  const schema = info.compiled()
  if (fieldValidation === 'Ignore') schema.prune(object)
  else {
    const unknown = [...new Set([...read.unknown, ...schema.unknownFields(object)])].sort()
    const texts = [...duplicates, ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`)]
    if (texts.length > 0 && fieldValidation === 'Strict') {
      const text = texts.join(', ')
      throw options.strictError?.(text, value) ?? unhandled(`strict decoding error: ${text}`)
    }
    texts.forEach(warn)
    // Nearly always there is nothing to remove.
    if (unknown.length > 0) schema.prune(object)
  }
  // Before the types: clients send null for what they leave unset.
  const message = info.isCustom ? undefined : messageOf(apiVersion, kind)
  if (message) omitEmpty(message, object)
  schema.applyDefaults(object)
  // What a client sent of a kind of ours need not have the shape that the code expects: only then is it looked at.
  if (!info.isCustom) {
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

/** Not by `String`, which calls what the value brings along. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
