import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { duplicateMembers } from './json'
import { readYaml } from './yaml.js'

test.each<[string, string[]]>([
  ['{"a":1,"b":1}', []],
  ['{"a":1,"a":2}', ['duplicate field "a"']],
  ['{"spec":{"x":[1,{"a":1},{"a":1, "a":2}],"x":1}}', ['duplicate field "spec.x[2].a"', 'duplicate field "spec.x"']],
  ['{ "a" : {"b":1} , "\\u0061":2, "c":"}\\",\\"a\\":{" }', ['duplicate field "a"']],
  ['{"a":1,"a":2,"a":3}', ['duplicate field "a"']],
  ['[{"a":1},{"a":1}]', []],
])('duplicateMembers finds the duplicates in %s', (text, expected) =>
  expect(duplicateMembers(text, JSON.parse(text))).toEqual(expected),
)

it('duplicateMembers reports nothing for text without duplicates, regardless of its layout', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
      expect(duplicateMembers(JSON.stringify(value, null, indent), value)).toEqual([])
    }),
  )
})

it('duplicate YAML keys are reported with their line, and the last one takes effect', () => {
  expect(readYaml('a: 1\nb:\n  c: 1\n  c: 2\n')).toEqual({
    json: '{"a":1,"b":{"c":2}}',
    duplicates: ['yaml: unmarshal errors:\n  line 4: key "c" already set in map'],
  })
})
