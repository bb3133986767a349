import { messageOf } from './kinds'
import { envelopeMagic } from './decode'
import type { Field, Message, Type } from './message'

/** Encodes JSON objects in the wire format, for tests. It uses the tables, so it cannot verify their field numbers. */

export const concat = (...parts: (readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

export function varint(value: bigint | number): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}

export const number = (field: number, value: bigint | number): number[] => [...varint(field * 8), ...varint(value)]

export const bytes = (field: number, value: Uint8Array): Uint8Array<ArrayBuffer> =>
  concat(varint(field * 8 + 2), varint(value.length), value)

export const text = (field: number, value: string): Uint8Array<ArrayBuffer> =>
  bytes(field, new TextEncoder().encode(value))

/** A request body: the envelope around the bytes of an object. */
export const enveloped = (apiVersion: string, kind: string, raw: Uint8Array): Uint8Array<ArrayBuffer> =>
  concat(envelopeMagic, bytes(1, concat(text(1, apiVersion), text(2, kind))), bytes(2, raw), text(3, ''), text(4, ''))

/** @throws Error for a kind or a field that is not in the tables */
export function encodeProtobuf(object: { apiVersion: string; kind: string }): Uint8Array<ArrayBuffer> {
  const { apiVersion, kind, ...fields } = object
  const message = messageOf(apiVersion, kind)
  if (!message) throw new Error(`no message for ${apiVersion} ${kind}`)
  return enveloped(apiVersion, kind, encodeMessage(message, fields))
}

export const fieldsIn = (message: Message): [number, Field][] =>
  Object.entries(message).map(([number, field]) => [Number(number), field])

function encodeMessage(message: Message, object: Record<string, unknown>): Uint8Array<ArrayBuffer> {
  const remaining = new Set(Object.keys(object))
  const encoded = encodeFields(message, object, remaining)
  if (remaining.size) throw new Error(`no field ${[...remaining].join(', ')}`)
  return encoded
}

function encodeFields(
  message: Message,
  object: Record<string, unknown>,
  remaining: Set<string>,
): Uint8Array<ArrayBuffer> {
  return concat(
    ...fieldsIn(message).map(([number, field]) => {
      if ('inline' in field) return bytes(number, encodeFields(field.inline, object, remaining))
      const [name, type] = field
      remaining.delete(name)
      return object[name] === undefined ? [] : encodeValue(number, type, object[name])
    }),
  )
}

// The casts are safe: a test value that does not match the table fails the comparison.
function encodeValue(field: number, type: Type, value: unknown): Uint8Array | number[] {
  switch (type.is) {
    case 'string':
      return text(field, value as string)
    case 'int':
      return number(field, BigInt(value as number))
    case 'bool':
      return number(field, value === true ? 1 : 0)
    case 'bytes':
      return bytes(
        field,
        Uint8Array.from(atob(value as string), (char) => char.charCodeAt(0)),
      )
    case 'json':
      return text(field, JSON.stringify(value))
    case 'time':
    case 'microTime': {
      const [wholeSeconds = '', fraction = '0'] = (value as string).replace('Z', '').split('.')
      const nanos = Number(fraction.padEnd(9, '0'))
      return bytes(field, concat(number(1, Date.parse(`${wholeSeconds}Z`) / 1000), number(2, nanos)))
    }
    case 'intOrString':
      return bytes(
        field,
        typeof value === 'number'
          ? concat(number(1, 0), number(2, value), text(3, ''))
          : concat(number(1, 1), number(2, 0), text(3, value as string)),
      )
    case 'message':
      return bytes(field, encodeMessage(type.message, value as Record<string, unknown>))
    case 'wrapped':
      return bytes(field, Uint8Array.from(encodeValue(1, type.of, value)))
    case 'list':
      return concat(...(value as unknown[]).map((item) => encodeValue(field, type.of, item)))
    case 'map':
      return concat(
        ...Object.entries(value as Record<string, unknown>).map(([key, item]) =>
          bytes(field, concat(text(1, key), encodeValue(2, type.of, item))),
        ),
      )
  }
}
