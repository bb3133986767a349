/** Encodes in pieces, since the number of arguments of a call is limited. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192))
  }
  return btoa(binary)
}

/** The UTF-8 bytes of a text as base64. */
export const textToBase64 = (text: string): string => toBase64(new TextEncoder().encode(text))

/** The text whose UTF-8 bytes are given as base64 or base64url; `undefined` if they are not text. */
export function base64ToText(base64: string): string | undefined {
  try {
    const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
