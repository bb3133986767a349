import { maxValues, tooManyValues } from '../body-limits.js'

/** The protocol buffers wire format. Source: protobuf.dev, "Encoding". */

/** The body is not a valid message. `path` is the location in the object, in JSON names; empty for the whole object. */
export class ProtobufError extends Error {
  readonly problem: string
  readonly path: string

  constructor(problem: string, path = '') {
    super(path ? `${path}: ${problem}` : problem)
    this.name = 'ProtobufError'
    this.problem = problem
    this.path = path
  }
}

export interface WireField {
  number: number
  /** A number for a varint, bytes for a length-delimited value, `undefined` for a fixed width, which we never read. */
  value: bigint | Uint8Array | undefined
}

/** Number of fields read from the current body, nested messages included. */
let count = 0

/** Reads a complete body within the limit of values. @throws ProtobufError */
export function withFieldLimit<T>(read: () => T): T {
  count = 0
  return read()
}

function countOne() {
  // Each value is in a field, possibly with fields of the messages around it.
  if (++count > 4 * maxValues) throw new ProtobufError(tooManyValues().message)
}

/** The fields of a message, in order. @throws ProtobufError */
export function* fieldsOf(bytes: Uint8Array): Generator<WireField> {
  const cursor = { bytes, at: 0 }
  while (cursor.at < bytes.length) {
    countOne()
    const tag = varintAt(cursor)
    const number = Number(tag >> 3n)
    if (number < 1 || number > maxFieldNumber) throw new ProtobufError(`field number ${number} is out of range`)
    yield { number, value: valueAt(cursor, Number(tag & 7n)) }
  }
}

/** The numbers of a packed list. @throws ProtobufError */
export function* varintsOf(bytes: Uint8Array): Generator<bigint> {
  const cursor = { bytes, at: 0 }
  while (cursor.at < bytes.length) {
    countOne()
    yield varintAt(cursor)
  }
}

interface Cursor {
  bytes: Uint8Array
  at: number
}

const maxFieldNumber = 2 ** 29 - 1

function valueAt(cursor: Cursor, wireType: number): WireField['value'] {
  switch (wireType) {
    case 0:
      return varintAt(cursor)
    case 1:
      bytesAt(cursor, 8)
      return undefined
    case 2:
      return bytesAt(cursor, Number(varintAt(cursor)))
    case 5:
      bytesAt(cursor, 4)
      return undefined
    case 3:
    case 4:
      throw new ProtobufError('groups are not supported')
    default:
      throw new ProtobufError(`wire type ${wireType} does not exist`)
  }
}

function bytesAt(cursor: Cursor, length: number): Uint8Array {
  const { bytes, at } = cursor
  if (length > bytes.length - at) {
    throw new ProtobufError(`the message ends too early: ${length} bytes announced, ${bytes.length - at} left`)
  }
  cursor.at += length
  return bytes.subarray(at, cursor.at)
}

/** Always an unsigned 64-bit value; the type of the field determines the meaning of the highest bit. */
function varintAt(cursor: Cursor): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at++]
    if (byte === undefined) throw new ProtobufError('the message ends within a number')
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asUintN(64, value)
  }
  throw new ProtobufError('a number is longer than 10 bytes')
}
