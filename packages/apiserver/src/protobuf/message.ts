import { isRecord } from '@slipway/kube/object'
import { fieldsOf, ProtobufError, varintsOf, type WireField } from './wire'

/**
 * A message: its fields by number, with their JSON names. A field without an entry is skipped, since newer clients may
 * send unknown fields.
 */
export type Message = Readonly<Record<number, Field>>

/** The fields of an inline message belong to the surrounding object, as Go embeds `VolumeSource` in `Volume`. */
export type Field = readonly [name: string, type: Type] | { readonly inline: Message }

export type Type =
  | { readonly is: 'string' | 'int' | 'bool'; readonly keepsZero: boolean }
  | { readonly is: 'bytes' | 'time' | 'microTime' | 'intOrString' | 'json' }
  | { readonly is: 'message'; readonly message: Message }
  | { readonly is: 'list'; readonly of: Type; readonly keepsEmpty?: boolean }
  | { readonly is: 'map'; readonly of: Type }
  /** A message with a single field, number 1, which JSON represents by its value; `empty` is used if it is missing. */
  | { readonly is: 'wrapped'; readonly of: Type; readonly empty: () => unknown }

type JsonObject = Record<string, unknown>

/** Reads a message in its JSON form; its fields are added to `into`. @throws ProtobufError */
export function readMessage(bytes: Uint8Array, message: Message, into: JsonObject = {}): JsonObject {
  for (const { number, value } of fieldsOf(bytes)) {
    const field = message[number]
    if (!field) continue
    if ('inline' in field) {
      readMessage(bytesIn(value), field.inline, into)
      continue
    }
    const [name, type] = field
    const read = within(name, () => readValue(type, value, into[name]))
    if (read === undefined) delete into[name]
    else into[name] = read
  }
  return into
}

/** Adds a field to the path of an error inside it. */
function within<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw new ProtobufError(error.problem, [name, error.path].filter(Boolean).join('.'))
  }
}

/**
 * Reads one occurrence of a field.
 * @param previous the result of earlier occurrences: lists and maps grow by one each time, messages are merged
 * @returns `undefined` for a value that JSON omits
 */
function readValue(type: Type, value: WireField['value'], previous: unknown): unknown {
  switch (type.is) {
    case 'string':
      return unlessZero(type.keepsZero, textOf(bytesIn(value)))
    case 'int':
      return unlessZero(type.keepsZero, signed(numberIn(value)))
    case 'bool':
      return unlessZero(type.keepsZero, numberIn(value) !== 0n)
    case 'bytes':
      return base64Of(bytesIn(value))
    case 'time':
      return timeOf(bytesIn(value), 0)
    case 'microTime':
      return timeOf(bytesIn(value), 6)
    case 'intOrString':
      return intOrStringOf(bytesIn(value))
    case 'wrapped':
      return readMessage(bytesIn(value), { 1: ['', type.of] })[''] ?? type.empty()
    case 'json':
      return jsonOf(bytesIn(value))
    case 'message':
      return readMessage(bytesIn(value), type.message, isRecord(previous) ? previous : {})
    case 'list':
      return withItem(Array.isArray(previous) ? previous : [], type.of, value)
    case 'map':
      return withEntry(isRecord(previous) ? previous : {}, type.of, bytesIn(value))
  }
}

const unlessZero = <T>(keepsZero: boolean, value: T): T | undefined => (value || keepsZero ? value : undefined)

function bytesIn(value: WireField['value']): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new ProtobufError('wrong wire type: expected a length and bytes')
}

function numberIn(value: WireField['value']): bigint {
  if (typeof value === 'bigint') return value
  throw new ProtobufError('wrong wire type: expected a varint')
}

/** Rounds numbers beyond 2^53, as JSON.parse would. */
const signed = (value: bigint): number => Number(BigInt.asIntN(64, value))

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ProtobufError('a string is not valid UTF-8')
  }
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  // In parts, since a call accepts a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

function withItem(list: unknown[], type: Type, value: WireField['value']): unknown[] {
  if (type.is === 'int' && value instanceof Uint8Array) {
    for (const number of varintsOf(value)) list.push(signed(number))
  } else {
    list.push(readValue(type, value, undefined))
  }
  return list
}

function withEntry(map: JsonObject, type: Type, bytes: Uint8Array): JsonObject {
  // A missing key or value is empty.
  const entry: JsonObject = { key: '', value: readValue(type, new Uint8Array(), undefined) }
  const { key, value } = readMessage(
    bytes,
    { 1: ['key', { is: 'string', keepsZero: true }], 2: ['value', type] },
    entry,
  )
  if (key === '__proto__') throw new ProtobufError('the field name "__proto__" is not allowed')
  map[String(key)] = value
  return map
}

const int: Type = { is: 'int', keepsZero: true }
const intOrStringMessage: Message = {
  1: ['type', int],
  2: ['number', int],
  3: ['text', { is: 'string', keepsZero: true }],
}
const timestamp: Message = { 1: ['seconds', int], 2: ['nanos', int] }

function intOrStringOf(bytes: Uint8Array): unknown {
  const { type, number = 0, text = '' } = readMessage(bytes, intOrStringMessage)
  return type === 1 ? text : number
}

/**
 * RFC 3339 in UTC; `undefined` for Go's zero time, which is an empty message.
 * Source: k8s.io/apimachinery, meta/v1 time_proto.go: fractions of a `Time` are dropped, a `MicroTime` has six digits.
 */
function timeOf(bytes: Uint8Array, digits: 0 | 6): string | undefined {
  if (bytes.length === 0) return undefined
  const { seconds = 0, nanos = 0 } = readMessage(bytes, timestamp)
  const date = new Date(Number(seconds) * 1000)
  if (!(date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999)) {
    throw new ProtobufError('a time is outside the years 1 to 9999')
  }
  if (!(Number(nanos) >= 0 && Number(nanos) < 1e9)) throw new ProtobufError('a time has too many nanoseconds')
  const fraction = digits ? `.${String(nanos).padStart(9, '0').slice(0, digits)}` : ''
  return date.toISOString().replace('.000Z', `${fraction}Z`)
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = textOf(bytes)
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new ProtobufError('the field name "__proto__" is not allowed')
      return value
    })
  } catch (error) {
    // Not only SyntaxError: deeply nested text overflows the stack.
    throw error instanceof ProtobufError ? error : new ProtobufError('a string is not valid JSON')
  }
}
