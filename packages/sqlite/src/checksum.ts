import { crc32 } from 'node:zlib'

/**
 * Checksum of a row: CRC-32 of its values in order. Put a long value last, since all others are joined to one text.
 * Never throws: values other than text, numbers and bytes are converted to text.
 */
export function checksum(...values: unknown[]): number {
  const last = values.at(-1)
  const bytes = last instanceof Uint8Array ? last : String(last)
  const start = crc32(values.slice(0, -1).join('\0'))
  // zlib may treat empty bytes as a request for its initial value, depending on where they are in memory.
  return bytes.length === 0 ? start : crc32(bytes, start)
}
