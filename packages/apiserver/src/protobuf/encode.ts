import { isRecord } from '@slipway/kube/object'
import { envelopeMagic } from './decode'
import { listMessageOf, messageOf } from './kinds'
import type { JsonObject } from '../apiextensions/json'
import type { Message, Type } from './message'
import { messageNamed } from './messages'

/** A message or part of one, written once its length is known. */
interface Bytes {
  length: number
  parts: (Uint8Array | Bytes)[]
}

const utf8 = new TextEncoder()

const join = (parts: (Uint8Array | Bytes)[]): Bytes => ({
  length: parts.reduce((sum, { length }) => sum + length, 0),
  parts,
})

function flatten(bytes: Bytes): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes.length)
  let at = 0
  const write = ({ parts }: Bytes) => {
    for (const part of parts) {
      if (!(part instanceof Uint8Array)) {
        write(part)
        continue
      }
      all.set(part, at)
      at += part.length
    }
  }
  write(bytes)
  return all
}

/** Negative numbers take ten bytes, as unsigned 64-bit integers. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)))
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Uint8Array.from([...bytes, Number(rest)])
}

const number = (field: number, value: number): Bytes => join([varint(field * 8), varint(value)])
const bytes = (field: number, value: Uint8Array | Bytes): Bytes =>
  join([varint(field * 8 + 2), varint(value.length), value])
const text = (field: number, value: string): Bytes => bytes(field, utf8.encode(value))

/**
 * Encodes an object or a list as `application/vnd.kubernetes.protobuf`.
 * @returns `undefined` for a kind without a message, which is available only in JSON or YAML
 */
export function encodeProtobuf(object: JsonObject): Uint8Array<ArrayBuffer> | undefined {
  const encoded = enveloped(object)
  return encoded && flatten(encoded)
}

function enveloped(object: JsonObject): Bytes | undefined {
  const { apiVersion, kind, ...fields } = object
  const message = responseMessageOf(String(apiVersion), String(kind))
  return message && withEnvelope(String(apiVersion), String(kind), encodeMessage(message, fields))
}

const withEnvelope = (apiVersion: string, kind: string, raw: Bytes): Bytes =>
  join([
    Uint8Array.from(envelopeMagic),
    bytes(1, join([text(1, apiVersion), text(2, kind)])),
    bytes(2, raw),
    text(3, ''),
    text(4, ''),
  ])

function responseMessageOf(apiVersion: string, kind: string): Message | undefined {
  if (apiVersion === 'v1' && kind === 'Status') return messageNamed('meta/v1.Status')
  if (!kind.endsWith('List')) return messageOf(apiVersion, kind)
  const item = messageOf(apiVersion, kind.slice(0, -'List'.length))
  return item && listMessageOf(item)
}

function encodeMessage(message: Message, object: JsonObject): Bytes {
  return join(
    Object.entries(message).flatMap(([key, field]) => {
      const at = Number(key)
      if ('inline' in field) return bytes(at, encodeMessage(field.inline, object))
      const [name, type] = field
      const value = object[name]
      return value === undefined || value === null ? [] : encodeValue(at, type, value)
    }),
  )
}

/** The value has the right type, since it was validated by a schema generated from the same table. */
function encodeValue(field: number, type: Type, value: unknown): Bytes[] {
  switch (type.is) {
    case 'string':
      return [text(field, String(value))]
    case 'int':
      return [number(field, Number(value))]
    case 'bool':
      return [number(field, value === true ? 1 : 0)]
    case 'bytes':
      return [bytes(field, bytesOf(String(value)))]
    case 'json':
      return [text(field, JSON.stringify(value))]
    case 'time':
    case 'microTime':
      return [bytes(field, timeOf(String(value)))]
    case 'intOrString':
      return [
        bytes(
          field,
          typeof value === 'number'
            ? join([number(1, 0), number(2, value), text(3, '')])
            : join([number(1, 1), number(2, 0), text(3, String(value))]),
        ),
      ]
    case 'message':
      return isRecord(value) ? [bytes(field, encodeMessage(type.message, value))] : []
    case 'wrapped':
      return [bytes(field, join(encodeValue(1, type.of, value)))]
    case 'list':
      return Array.isArray(value) ? value.flatMap((item) => encodeValue(field, type.of, item)) : []
    case 'map':
      return isRecord(value)
        ? Object.entries(value).map(([key, item]) =>
            bytes(field, join([text(1, key), ...encodeValue(2, type.of, item)])),
          )
        : []
  }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

function timeOf(text: string): Bytes {
  const milliseconds = Date.parse(text)
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '0'
  return join([number(1, Math.floor(milliseconds / 1000)), number(2, Number(fraction.padEnd(9, '0').slice(0, 9)))])
}
