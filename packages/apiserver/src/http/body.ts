import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { badRequest, tooLarge, unsupportedMediaType } from '../errors'
import { decodeProtobuf, protobufMediaType, UnknownKindError } from '../protobuf/decode'
import { messageOf } from '../protobuf/kinds'
import { ProtobufError } from '../protobuf/wire'
import { duplicateMembers, parseYaml } from './duplicates'

/** Largest accepted request body. Source: k8s.io/apiserver, server/config.go. */
export const bodyLimitBytes = 3 * 1024 * 1024

const bodyTypes = ['application/json', 'application/yaml']

const decoder = new TextDecoder()

/** The media types in which a kind can be written. */
export const bodyTypesOf = ({ group, version, kind }: Pick<ResourceType, 'group' | 'version' | 'kind'>): string[] =>
  messageOf(apiVersionOf({ group, version }), kind) ? [...bodyTypes, protobufMediaType] : bodyTypes

/** The media type without parameters, in lower case; empty when there is none. */
export const mediaTypeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** The bytes of a body as text. @throws StatusError 413 */
export const textOf = async (request: Request): Promise<string> => decoder.decode(await bytesOf(request))

/** The body as it is. @throws StatusError 413 */
export async function bytesOf(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimitBytes) throw tooLarge(bodyLimitBytes)
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joined(chunks, length)
    length += value.byteLength
    if (length > bodyLimitBytes) {
      await reader.cancel()
      throw tooLarge(bodyLimitBytes)
    }
    chunks.push(value)
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first, ...others] = chunks
  if (first && others.length === 0) return first
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/**
 * The body as a value; `undefined` when there is none. Without a media type it is JSON.
 * @throws StatusError 400, 413, 415
 */
export const bodyOf = async (request: Request): Promise<unknown> =>
  (await readBody(request, [...bodyTypes, protobufMediaType])).value

export interface Body {
  value: unknown
  /** Error texts of members that it has twice. */
  duplicates: string[]
}

/**
 * The same, with what a strict reader would not take.
 * @param accepted media types that a refusal names
 * @throws StatusError 400, 413, 415
 */
export async function readBody(request: Request, accepted: readonly string[]): Promise<Body> {
  const mediaType = mediaTypeOf(request)
  const bytes = await bytesOf(request)
  if (mediaType === protobufMediaType && bytes.length) return { value: decoded(bytes), duplicates: [] }
  const text = decoder.decode(bytes)
  if (mediaType && !bodyTypes.includes(mediaType) && text) throw unsupportedMediaType(accepted)
  if (text === '') return { value: undefined, duplicates: [] }
  if (text.trim() === '') return { value: null, duplicates: [] }
  return parsed(text, mediaType === 'application/yaml')
}

/** @throws StatusError 400, and 415 for a kind that must come as JSON or YAML */
function decoded(bytes: Uint8Array): unknown {
  try {
    return decodeProtobuf(bytes)
  } catch (error) {
    if (error instanceof UnknownKindError) throw unsupportedMediaType(bodyTypes)
    if (error instanceof ProtobufError) throw badRequest(`the object provided is unrecognized: ${error.message}`)
    throw error
  }
}

/** @throws StatusError 400 for a text that is neither, and for members no object of ours may have */
export function parsed(text: string, isYaml: boolean): Body {
  let body: Body
  try {
    body = isYaml ? parseYaml(text) : parseJson(text)
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
    throw badRequest(
      `the object provided is unrecognized (must be of valid ${isYaml ? 'YAML' : 'JSON'}): couldn't get version/kind; ` +
        `${isYaml ? 'yaml' : 'json'} parse error: ${message}`,
    )
  }
  // The cheap test first: an escaped underscore is the only other way to spell the name.
  if (/__proto__|\\u005[fF]/.test(text) && hasProto(body.value))
    throw badRequest('the field name "__proto__" is not allowed')
  return body
}

function parseJson(text: string): Body {
  const value: unknown = JSON.parse(text)
  return { value, duplicates: duplicateMembers(text, value) }
}

function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => key === '__proto__' || hasProto(item))
}
