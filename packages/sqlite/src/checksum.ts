import { crc32 } from 'node:zlib'

/**
 * Checksum of a row: CRC-32 of its values in order. The long one comes last, since all before it are joined to one text.
 * @throws never: values of other types than text, number and bytes count by their text
 */
export function checksum(...values: unknown[]): number {
  const last = values.at(-1)
  const bytes = last instanceof Uint8Array ? last : String(last)
  const start = crc32(values.slice(0, -1).join('\0'))
  // zlib takes empty bytes for a question about its initial value, depending on where they are in memory.
  return bytes.length === 0 ? start : crc32(bytes, start)
}
