import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { HttpError } from '@slipway/connect/http-error'
import { maskLimits, parseFieldMask, type FieldMask } from './mask'

/** The included paths, without those that always are. */
function parsePaths(mask: FieldMask, prefix: string[] = []): string[][] {
  const paths = [...mask.fields].flatMap(([name, inner]) =>
    inner.fields.size > 0 ? parsePaths(inner, [...prefix, name]) : [[...prefix, name]],
  )
  const always = ['apiVersion', 'kind', 'metadata.uid', 'metadata.resourceVersion']
  return prefix.length > 0 ? paths : paths.filter((path) => !always.includes(path.join('.')))
}

test.each<[string, string[], string[][]]>([
  ['one field', ['spec'], [['spec']]],
  [
    'paths',
    ['metadata.name,status.conditions'],
    [
      ['metadata', 'name'],
      ['status', 'conditions'],
    ],
  ],
  ['a name in backticks', ['metadata.labels.`a.b/c`'], [['metadata', 'labels', 'a.b/c']]],
  ['a backtick, doubled', ['data.`a``b`.c'], [['data', 'a`b', 'c']]],
  ['names of JavaScript built-ins', ['`__proto__`.constructor'], [['__proto__', 'constructor']]],
  [
    'several parameters',
    ['spec.a', 'spec.b,kind'],
    [
      ['spec', 'a'],
      ['spec', 'b'],
    ],
  ],
  ['a field followed by one of its subfields', ['spec', 'spec.a'], [['spec']]],
  ['a field preceded by one of its subfields', ['spec.a', 'spec'], [['spec']]],
  ['the same path twice', ['spec.a,spec.a'], [['spec', 'a']]],
  ['subfields of fields that are always included', ['kind.of,metadata.uid.x'], []],
  ['a parent of fields that are always included', ['metadata'], [['metadata']]],
])('parses %s', (_, texts, expected) => {
  expect(parsePaths(parseFieldMask(texts))).toEqual(expected)
})

test.each<[string, string[], RegExp]>([
  ['an empty mask', [''], /a field name is missing \(character 1, at the end\)/],
  ['a trailing dot', ['spec.'], /a field name is missing \(character 6, at the end\)/],
  ['an empty name', ['spec..params'], /a field name is missing \(character 6, before "\.params"\)/],
  ['an empty path', ['spec,,kind'], /a field name is missing \(character 6/],
  ['a leading dot', ['.spec'], /a field name is missing \(character 1/],
  ['a space', ['spec, kind'], /a field name is missing \(character 6/],
  ['a bare slash', ['metadata.labels.a/b'], /must be quoted with backticks \(character 18, before "\/b"\)/],
  ['a wildcard', ['spec.*'], /a field name is missing \(character 6, before "\*"\)/],
  ['an index', ['spec.params[0]'], /must be quoted with backticks \(character 12/],
  ['an open backtick', ['data.`a.b'], /a backtick is not closed \(character 6/],
  ['an empty name in backticks', ['data.``'], /a field name is missing \(character 6/],
  ['text after a backtick', ['data.`a`b'], /character 9, before "b"/],
  ['a control character', ['data.`a\nb`'], /control character \(character 6/],
  [
    'a path that is too deep',
    [
      Array(maskLimits.depth + 1)
        .fill('a')
        .join('.'),
    ],
    /deeper than 16 fields/,
  ],
  ['too many fields', [Array.from({ length: 129 }, (_, index) => `f${index}`).join(',')], /more than 128 fields/],
  ['too many characters in total', ['a'.repeat(4000), 'b'.repeat(97)], /longer than 4096 characters/],
])('rejects %s and gives the position', (_, texts, message) => {
  expect(() => parseFieldMask(texts)).toThrow(message)
  expect(() => parseFieldMask(texts)).toThrow(expect.objectContaining({ code: 400 }))
})

it('parses every quoted path and throws an HttpError for any other text', () => {
  const name = fc.string({ minLength: 1, maxLength: 9, unit: 'binary' }).map((text) => text.replace(/\p{Cc}/gu, 'x'))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: maskLimits.depth }), (path) => {
      const text = ['z', ...path.slice(1)].map((each) => `\`${each.replaceAll('`', '``')}\``).join('.')
      expect(parsePaths(parseFieldMask([text]))).toEqual([['z', ...path.slice(1)]])
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'a.`,/ *') })), (texts) => {
      try {
        parseFieldMask(texts)
      } catch (error) {
        expect(error).toBeInstanceOf(HttpError)
      }
    }),
  )
})
