import { stringify as yamlOf } from 'yaml'
import { protobufMediaType } from '../protobuf/decode'
import { encodeProtobuf } from '../protobuf/encode'
import { TextResponse } from './text-response'

export const jsonType = 'application/json'
const yamlType = 'application/yaml'

export interface Encoded {
  content: string | Uint8Array<ArrayBuffer>
  mediaType: string
}

/** Encodes in protobuf or YAML if the client prefers that (and the kind has a protobuf message), otherwise in JSON. */
export function encodeBody(body: object, accept: string | null): Encoded {
  const protobuf = wantsProtobuf(accept) ? encodeProtobuf({ ...body }) : undefined
  if (protobuf) return { content: protobuf, mediaType: protobufMediaType }
  if (wantsYaml(accept)) return { content: yamlOf(body), mediaType: yamlType }
  return { content: JSON.stringify(body), mediaType: jsonType }
}

/** A complete text needs no stream. */
export const responseOf = (content: Encoded['content'], init: ResponseInit): Response =>
  typeof content === 'string' ? new TextResponse(content, init) : new Response(content, init)

const rangesOf = (accept: string | null): string[] =>
  (accept ?? '').split(',').map((range) => range.trim().replace(/;\s*q=[\d.]+/, ''))

export const wantsYaml = (accept: string | null): boolean => {
  const types = rangesOf(accept).map((range) => range.split(';')[0])
  return types.includes(yamlType) && !types.includes(jsonType) && !types.includes('*/*')
}

/** True if protobuf of whole objects comes first among the media types that the client lists and we serve. */
export const wantsProtobuf = (accept: string | null): boolean =>
  rangesOf(accept).find((range) => knownTypes.includes(range.split(';')[0] ?? '')) === protobufMediaType

const knownTypes = [protobufMediaType, jsonType, yamlType, 'application/*', '*/*']
