import { badRequest, StatusError, tooLarge, unsupportedMediaType } from '../errors'
import { decodeProtobuf, protobufMediaType, UnknownKindError } from '../protobuf/decode'
import { ProtobufError } from '../protobuf/wire'
import { readJson } from './json'
import { readYaml, type YamlDocument } from './yaml.js'

/** Largest accepted request body. Source: k8s.io/apiserver, server/config.go. */
export const bodyLimitBytes = 3 * 1024 * 1024

const bodyTypes = ['application/json', 'application/yaml']
const acceptedTypes = [...bodyTypes, protobufMediaType]

const decoder = new TextDecoder()

/** The media type without parameters, in lower case; empty when there is none. */
export const mediaTypeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * Rejects a creation with an unsupported media type, before any other check.
 * @throws StatusError 415
 */
export function assertBodyType(request: Request): void {
  const mediaType = mediaTypeOf(request)
  if (mediaType && !acceptedTypes.includes(mediaType)) throw unsupportedMediaType(acceptedTypes)
}

/** Reads the body as text. @throws StatusError 413 */
export const readText = async (request: Request): Promise<string> => decoder.decode(await readBytes(request))

/** Reads the raw body. @throws StatusError 400 if the client disconnects meanwhile, 413 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimitBytes) throw tooLarge(bodyLimitBytes)
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest('the body of the request ended early')
    })
    if (done) return concatBytes(chunks)
    length += value.byteLength
    if (length > bodyLimitBytes) {
      await reader.cancel()
      throw tooLarge(bodyLimitBytes)
    }
    chunks.push(value)
  }
}

/** The chunks in one; the only chunk itself. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(), ...others] = chunks
  if (others.length === 0) return first
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * Reads the body as a value; `undefined` if there is none. Without a media type it is parsed as JSON.
 * @throws StatusError 400, 413, 415
 */
export const readBodyValue = async (request: Request, yaml: YamlReader): Promise<unknown> =>
  (await readBody(request, yaml)).value

/** Parses YAML. The host decides in which thread, because it is slow. */
export interface YamlReader {
  /** @throws Error for text that is not YAML or takes too much to parse */
  read(text: string): Promise<YamlDocument>
  close(): Promise<void>
}

/** Parses YAML in the calling thread. */
export const inlineYamlReader: YamlReader = { read: async (text) => readYaml(text), close: async () => undefined }

export interface Body {
  value: unknown
  /** Error texts for duplicate members. */
  duplicates: string[]
}

/**
 * Reads the body with the errors that strict validation reports.
 * @throws StatusError 400, 413, 415
 */
export async function readBody(request: Request, yaml: YamlReader): Promise<Body> {
  const mediaType = mediaTypeOf(request)
  const bytes = await readBytes(request)
  if (mediaType === protobufMediaType && bytes.length) return { value: decodeProtobufBody(bytes), duplicates: [] }
  const text = decoder.decode(bytes)
  if (mediaType && !bodyTypes.includes(mediaType) && text) throw unsupportedMediaType(acceptedTypes)
  if (text === '') return { value: undefined, duplicates: [] }
  return mediaType === 'application/yaml' ? readYamlText(text, yaml) : readJsonText(text)
}

/** @throws StatusError 400, or 415 for a kind accepted only as JSON or YAML */
function decodeProtobufBody(bytes: Uint8Array): unknown {
  try {
    return decodeProtobuf(bytes)
  } catch (error) {
    if (error instanceof UnknownKindError) throw unsupportedMediaType(bodyTypes)
    if (error instanceof ProtobufError) throw badRequest(`the object provided is unrecognized: ${error.message}`)
    throw error
  }
}

/** @throws StatusError 400 for invalid JSON, text beyond the limits, and forbidden members */
export function readJsonText(text: string, maxCount?: number): Body {
  try {
    return rejectProto(text, readJson(text, maxCount))
  } catch (error) {
    throw parseError('JSON', error)
  }
}

/** The same for YAML. */
export async function readYamlText(text: string, yaml: YamlReader): Promise<Body> {
  try {
    const { json, duplicates } = await yaml.read(text)
    return rejectProto(json, { value: readJson(json).value, duplicates })
  } catch (error) {
    throw parseError('YAML', error)
  }
}

function parseError(language: 'JSON' | 'YAML', error: unknown): StatusError {
  if (error instanceof StatusError) return error
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
  return badRequest(
    `the object provided is unrecognized (must be of valid ${language}): couldn't get version/kind; ` +
      `${language.toLowerCase()} parse error: ${message.slice(0, maxMessageLength)}`,
  )
}

/** Parsers quote the text that they reject. */
const maxMessageLength = 1_000

/** @param text the JSON that the body was read from */
function rejectProto(text: string, body: Body): Body {
  // Cheap test first: an escaped underscore is the only other way to spell the name.
  if (/__proto__|\\u005[fF]/.test(text) && hasProto(body.value)) {
    throw badRequest('the field name "__proto__" is not allowed')
  }
  return body
}

function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => key === '__proto__' || hasProto(item))
}
