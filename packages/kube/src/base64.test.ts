import { expect, test } from 'vitest'
import { base64ToText, textToBase64, toBase64 } from './base64'

test('every byte of a mebibyte is encoded as Node does', () => {
  const bytes = Uint8Array.from({ length: 1_048_576 }, (_, index) => index % 256)
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
})

test.each(['', 'plain', 'Grüße\r\n', '\uFEFFmark', 'zero\0byte', '🔑'])('%j is the same after a round trip', (text) => {
  expect(textToBase64(text)).toBe(Buffer.from(text).toString('base64'))
  expect(base64ToText(textToBase64(text))).toBe(text)
})

test.each([
  ['base64url without padding', Buffer.from('??>>ü').toString('base64url'), '??>>ü'],
  ['text that is not base64', '*', undefined],
  ['bytes that are not UTF-8', '//4=', undefined],
])('%s', (_, base64, text) => expect(base64ToText(base64)).toBe(text))
