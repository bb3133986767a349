import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { HttpError } from '../http-error'
import { maskLimits, parseFieldMask, type FieldMask } from './mask'

/** The paths that are kept, but for those that always are. */
function pathsOf(mask: FieldMask, prefix: string[] = []): string[][] {
  const paths = [...mask.fields].flatMap(([name, inner]) =>
    inner.fields.size > 0 ? pathsOf(inner, [...prefix, name]) : [[...prefix, name]],
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
  ['names that are words elsewhere', ['`__proto__`.constructor'], [['__proto__', 'constructor']]],
  [
    'several parameters',
    ['spec.a', 'spec.b,kind'],
    [
      ['spec', 'a'],
      ['spec', 'b'],
    ],
  ],
  ['a field and then one within it', ['spec', 'spec.a'], [['spec']]],
  ['a field and before it one within it', ['spec.a', 'spec'], [['spec']]],
  ['the same twice', ['spec.a,spec.a'], [['spec', 'a']]],
  ['beneath what is kept always', ['kind.of,metadata.uid.x'], []],
  ['all of what holds that', ['metadata'], [['metadata']]],
])('reads %s', (_, texts, expected) => {
  expect(pathsOf(parseFieldMask(texts))).toEqual(expected)
})

test.each<[string, string[], RegExp]>([
  ['nothing', [''], /a field name is missing \(character 1, at the end\)/],
  ['an end too soon', ['spec.'], /a field name is missing \(character 6, at the end\)/],
  ['an empty name', ['spec..params'], /a field name is missing \(character 6, before "\.params"\)/],
  ['an empty path', ['spec,,kind'], /a field name is missing \(character 6/],
  ['a dot before all', ['.spec'], /a field name is missing \(character 1/],
  ['a space', ['spec, kind'], /a field name is missing \(character 6/],
  ['a bare slash', ['metadata.labels.a/b'], /must stand in backticks \(character 18, before "\/b"\)/],
  ['a wildcard', ['spec.*'], /a field name is missing \(character 6, before "\*"\)/],
  ['an index', ['spec.params[0]'], /must stand in backticks \(character 12/],
  ['an open backtick', ['data.`a.b'], /a backtick is not closed \(character 6/],
  ['an empty name in backticks', ['data.``'], /a field name is missing \(character 6/],
  ['text behind a backtick', ['data.`a`b'], /character 9, before "b"/],
  ['a control character', ['data.`a\nb`'], /control character \(character 6/],
  [
    'a path too deep',
    [
      Array(maskLimits.depth + 1)
        .fill('a')
        .join('.'),
    ],
    /deeper than 16 fields/,
  ],
  ['too many fields', [Array.from({ length: 129 }, (_, index) => `f${index}`).join(',')], /more than 128 fields/],
  ['too many characters, in all', ['a'.repeat(4000), 'b'.repeat(97)], /longer than 4096 characters/],
])('refuses %s, and tells the place', (_, texts, message) => {
  expect(() => parseFieldMask(texts)).toThrow(message)
  expect(() => parseFieldMask(texts)).toThrow(expect.objectContaining({ code: 400 }))
})

it('reads any path it was written from, and fails on any other text as a refusal', () => {
  const name = fc.string({ minLength: 1, maxLength: 9, unit: 'binary' }).map((text) => text.replace(/\p{Cc}/gu, 'x'))
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: maskLimits.depth }), (path) => {
      const text = ['z', ...path.slice(1)].map((each) => `\`${each.replaceAll('`', '``')}\``).join('.')
      expect(pathsOf(parseFieldMask([text]))).toEqual([['z', ...path.slice(1)]])
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
