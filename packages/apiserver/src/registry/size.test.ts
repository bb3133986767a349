import { expect, test } from 'vitest'
import { configMaps } from '../builtin/configmaps'
import { StatusError } from '../errors'
import { textOf } from './objects'
import { refuseTooLarge, utf8Length } from './size'

test.each(['', 'a', 'ü', '中', '😀', 'a😀ü中'])('counts the bytes of %j', (text) => {
  expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
})

test.each<[string, boolean, string, boolean]>([
  ['a text of a mebibyte', false, 'x'.repeat(2 ** 20), true],
  ['one whose escapes are not stored', false, '\n'.repeat(2 ** 20), true],
  ['one whose escapes are', true, '\n'.repeat(2 ** 20), false],
  ['one of more bytes than characters', false, 'ü'.repeat(2 ** 20), false],
  ['a custom object that just fits', true, 'x'.repeat(1.5 * 2 ** 20 - 100), true],
])('%s, custom: %s', (_, isCustom, text, fits) => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: text } }
  const store = () => refuseTooLarge({ ...configMaps, isCustom }, object, textOf(configMaps, object))
  if (fits) expect(store).not.toThrow()
  else expect(store).toThrow(StatusError)
})
