import { isRecord } from '@slipway/kube/object'

/**
 * Removes the line breaks that base64 may contain from the values of a map, and null, in place.
 * @returns the problem of the first value that is not valid base64, by its position only, since it may be secret
 */
export function normalizeBase64(values: unknown): string | undefined {
  if (!isRecord(values)) return undefined
  for (const [key, value] of Object.entries(values)) {
    if (value === null) values[key] = ''
    // The schema rejects other types.
    if (typeof value !== 'string') continue
    const position = invalidByteOf(value)
    if (position !== undefined) return `illegal base64 data at input byte ${position}`
    if (/[\r\n]/.test(value)) values[key] = value.replace(/[\r\n]/g, '')
  }
  return undefined
}

/** Position of the first error that Go's decoder reports; `undefined` if there is none. Source: encoding/base64. */
function invalidByteOf(text: string): number | undefined {
  const end = text.search(/[^A-Za-z0-9+/\r\n]/)
  const digits = text.slice(0, end < 0 ? text.length : end).replace(/[\r\n]/g, '').length % 4
  if (end < 0) return digits === 0 ? undefined : text.length - digits
  if (text[end] !== '=' || digits < 2) return end
  let after = nextDigit(text, end + 1)
  if (digits === 2) {
    if (after === text.length) return after
    if (text[after] !== '=') return after - 1
    after = nextDigit(text, after + 1)
  }
  return after === text.length ? undefined : after
}

/** Position of the next character that is not a line break, or the end. */
function nextDigit(text: string, from: number): number {
  let at = from
  while (text[at] === '\n' || text[at] === '\r') at++
  return at
}
