import { expect, test } from 'vitest'
import { type FileContent, type FileValue, formatSize, toFileValue } from './file-value'

const text = new TextEncoder().encode('naïve\n')
const binary = Uint8Array.from([0xff, 0xfe, 0x00, 0x80])

test.each<[string, Uint8Array, FileContent, Omit<FileValue, 'name'> | undefined]>([
  ['text as text', text, 'text', { encoding: 'text', content: 'naïve\n' }],
  ['text as anything', text, 'any', { encoding: 'text', content: 'naïve\n' }],
  ['text as binary', text, 'binary', { encoding: 'base64', content: 'bmHDr3ZlCg==' }],
  ['binary as text', binary, 'text', undefined],
  ['binary as anything', binary, 'any', { encoding: 'base64', content: '//4AgA==' }],
  ['text with a zero character', Uint8Array.from([65, 0, 66]), 'any', { encoding: 'base64', content: 'QQBC' }],
  ['an empty file', new Uint8Array(), 'text', { encoding: 'text', content: '' }],
])('%s', (_, bytes, content, expected) =>
  expect(toFileValue('f', bytes, content)).toEqual(expected && { name: 'f', ...expected }),
)

test('a file of a mebibyte keeps every byte', () => {
  const bytes = Uint8Array.from({ length: 1_048_576 }, (_, index) => index % 256)
  const { content } = toFileValue('f', bytes, 'binary') ?? expect.fail('It is not read.')
  expect(Buffer.from(content, 'base64').equals(Buffer.from(bytes))).toBe(true)
})

test.each([
  [0, '0 bytes'],
  [1_023, '1023 bytes'],
  [1_024, '1 KiB'],
  [1_536, '1.5 KiB'],
  [1_048_576, '1 MiB'],
])('%i bytes are %s', (bytes, expected) => expect(formatSize(bytes)).toBe(expected))
