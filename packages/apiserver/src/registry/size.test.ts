import { expect, test } from 'vitest'
import { configMaps } from '../builtin/configmaps'
import { StatusError } from '../errors'
import { serialize } from './objects'
import { utf8Length } from '../utf8-length'
import { assertSize } from './size'

test.each(['', 'a', 'ü', '中', '😀', 'a😀ü中'])('utf8Length counts the bytes of %j', (text) => {
  expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
})

test.each<[string, boolean, string, boolean]>([
  ['a string of 1 MiB fits', false, 'x'.repeat(2 ** 20), true],
  ['a string whose escapes are not stored fits', false, '\n'.repeat(2 ** 20), true],
  ['a string whose escapes are stored is too large', true, '\n'.repeat(2 ** 20), false],
  ['a string with more bytes than characters is too large', false, 'ü'.repeat(2 ** 20), false],
  ['a custom object just below the limit fits', true, 'x'.repeat(1.5 * 2 ** 20 - 100), true],
])('%s, custom: %s', (_, isCustom, text, fits) => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: text } }
  const store = () => assertSize({ ...configMaps, isCustom }, object, serialize(configMaps, object))
  if (fits) expect(store).not.toThrow()
  else expect(store).toThrow(StatusError)
})
