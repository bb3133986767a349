import { messageOf } from './kinds'
import { type Message, readMessage, type Type } from './message'
import { withFieldLimit, fieldsOf, ProtobufError } from './wire'

export const protobufMediaType = 'application/vnd.kubernetes.protobuf'

/** A well-formed body of a kind that is accepted only as JSON or YAML. */
export class UnknownKindError extends ProtobufError {
  constructor(apiVersion: string, kind: string) {
    super(`the kind ${kind} of ${apiVersion} is not supported in protobuf`)
    this.name = 'UnknownKindError'
  }
}

export interface DecodedObject {
  apiVersion: string
  kind: string
  [field: string]: unknown
}

/** Source: k8s.io/apimachinery, runtime/serializer/protobuf. */
export const envelopeMagic = [0x6b, 0x38, 0x73, 0x00]

const string: Type = { is: 'string', keepsZero: false }

/** The envelope of every object, except for the object's own bytes. Source: k8s.io/apimachinery, runtime.Unknown. */
const envelope: Message = {
  1: { inline: { 1: ['apiVersion', string], 2: ['kind', string] } },
  3: ['contentEncoding', string],
  4: ['contentType', string],
}

/**
 * Decodes a request body of `application/vnd.kubernetes.protobuf` to the JSON form: without unset fields, bytes in
 * base64, times in RFC 3339.
 * @throws UnknownKindError
 * @throws ProtobufError
 */
export const decodeProtobuf = (bytes: Uint8Array): DecodedObject => withFieldLimit(() => decodeEnvelope(bytes))

function decodeEnvelope(bytes: Uint8Array): DecodedObject {
  if (!envelopeMagic.every((byte, i) => bytes[i] === byte)) {
    throw new ProtobufError('a protobuf body must start with the bytes 6b 38 73 00')
  }
  const body = bytes.subarray(envelopeMagic.length)
  const { apiVersion, kind, contentEncoding, contentType = protobufMediaType } = readMessage(body, envelope)
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new ProtobufError('the envelope must name apiVersion and kind')
  }
  if (contentEncoding !== undefined || contentType !== protobufMediaType) {
    throw new ProtobufError('the envelope does not contain plain protobuf')
  }
  const message = messageOf(apiVersion, kind)
  if (!message) throw new UnknownKindError(apiVersion, kind)
  return { apiVersion, kind, ...readMessage(rawOf(body), message) }
}

/** The bytes of the object itself; no bytes stand for an object without fields. */
function rawOf(body: Uint8Array): Uint8Array {
  let raw: Uint8Array = new Uint8Array()
  for (const { number, value } of fieldsOf(body)) if (number === 2 && value instanceof Uint8Array) raw = value
  return raw
}
