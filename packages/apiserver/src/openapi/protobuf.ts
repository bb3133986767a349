/** A protobuf encoder with the features that the OpenAPI document needs. Source: protobuf.dev, "Encoding". */

export type Field = readonly [number: number, value: string | boolean | readonly Field[]]

const utf8 = new TextEncoder()

/** Encodes a message. A repeated field appears several times. */
export function encodeMessage(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const measured = fields.map(measure)
  const bytes = new Uint8Array(sizeOf(measured))
  let at = 0
  const varint = (value: number) => {
    for (; value > 127; value = Math.floor(value / 128)) bytes[at++] = (value % 128) | 128
    bytes[at++] = value
  }
  const write = ({ number, content }: Measured) => {
    if (typeof content === 'boolean') {
      varint(number * 8)
      varint(content ? 1 : 0)
      return
    }
    varint(number * 8 + 2)
    if (content instanceof Uint8Array) {
      varint(content.length)
      bytes.set(content, at)
      at += content.length
    } else {
      varint(content.size)
      content.fields.forEach(write)
    }
  }
  measured.forEach(write)
  return bytes
}

/** A field with the sizes of all its content, which precede the bytes on the wire. */
interface Measured {
  number: number
  content: boolean | Uint8Array | { size: number; fields: Measured[] }
}

function measure([number, value]: Field): Measured {
  if (typeof value === 'boolean') return { number, content: value }
  if (typeof value === 'string') return { number, content: utf8.encode(value) }
  const fields = value.map(measure)
  return { number, content: { size: sizeOf(fields), fields } }
}

const varintSize = (value: number): number => (value < 128 ? 1 : 1 + varintSize(Math.floor(value / 128)))

const sizeOf = (fields: readonly Measured[]): number =>
  fields.reduce((sum, { number, content }) => {
    if (typeof content === 'boolean') return sum + varintSize(number * 8) + 1
    const size = content instanceof Uint8Array ? content.length : content.size
    return sum + varintSize(number * 8 + 2) + varintSize(size) + size
  }, 0)
