import { describe, expect, it, test } from 'vitest'
import { invalidMessage } from '../field-error'
import type { JsonSchema, ValidationRule } from './json-schema'
import { SchemaError } from './schema-error'
import { compileSchema } from './structural-schema'

const text: JsonSchema = { type: 'string' }
const object = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})
const listOf = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more })
const ruled = (schema: JsonSchema, ...rules: (string | ValidationRule)[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
})

/** `field: message (reason)` of every error in `{ spec: { x } }`. */
function complaints(x: JsonSchema, value: unknown, old?: unknown): string[] {
  const schema = compileSchema(object({ spec: object({ x }) }))
  return schema
    .validate({ spec: { x: value } }, old === undefined ? undefined : { spec: { x: old } })
    .map(({ field, message, reason }) => `${field}: ${message} (${reason?.replace('FieldValue', '')})`)
}

test.each<[string, JsonSchema, unknown, string[]]>([
  ['a matching type', text, 'a', []],
  [
    'a wrong type',
    { type: 'integer' },
    'a',
    ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string" (TypeInvalid)'],
  ],
  ['null', text, null, ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null" (TypeInvalid)']],
  ['null that is allowed', { ...text, nullable: true }, null, []],
  ['an integer as a number', { type: 'number' }, 3, []],
  [
    'a fraction as an integer',
    { type: 'integer' },
    3.5,
    ['spec.x: Invalid value: "number": spec.x in body must be of type integer: "number" (TypeInvalid)'],
  ],
  ['int or string: int', { 'x-kubernetes-int-or-string': true }, 3, []],
  ['int or string: string', { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, text] }, '3', []],
  [
    'int or string: neither',
    { 'x-kubernetes-int-or-string': true },
    true,
    ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean" (TypeInvalid)'],
  ],
  ['a missing field', object({ a: text }, 'a'), {}, ['spec.x.a: Required value (Required)']],
  ['an inherited field', object({ toString: text }, 'toString'), {}, ['spec.x.toString: Required value (Required)']],
  [
    'a value outside the enum',
    { ...text, enum: ['a', 'b'] },
    'z',
    ['spec.x: Unsupported value: "z": supported values: "a", "b" (NotSupported)'],
  ],
  ['too long', { ...text, maxLength: 2 }, 'abc', ['spec.x: Too long: may not be more than 2 bytes (TooLong)']],
  ['exactly the maximum length in characters', { ...text, maxLength: 2 }, '😀😀', []],
  [
    'too short',
    { ...text, minLength: 2 },
    'a',
    ['spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long (Invalid)'],
  ],
  [
    'a text that does not match the pattern',
    { ...text, pattern: '^[a-z]+$' },
    'A_',
    [`spec.x: Invalid value: "A_": spec.x in body should match '^[a-z]+$' (Invalid)`],
  ],
  ['a pattern of RE2 only', { ...text, pattern: '(?i)^[a-z]+$' }, 'AB', []],
  [
    'a format',
    { ...text, format: 'date-time' },
    'today',
    ['spec.x: Invalid value: "today": spec.x in body must be of type date-time: "today" (TypeInvalid)'],
  ],
  ['a time', { ...text, format: 'date-time' }, '2026-02-28T09:00:00.5+01:00', []],
  ['an unknown format', { ...text, format: 'colour' }, 'anything', []],
  [
    'too small',
    { type: 'integer', minimum: 1 },
    0,
    ['spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1 (Invalid)'],
  ],
  [
    'too large',
    { type: 'integer', maximum: 1, exclusiveMaximum: true },
    1,
    ['spec.x: Invalid value: 1: spec.x in body should be less than 1 (Invalid)'],
  ],
  [
    'too large for its format',
    { type: 'integer', format: 'int32' },
    2 ** 31,
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x (Invalid)'],
  ],
  ['the maximum of its format', { type: 'integer', format: 'int32' }, 2 ** 31 - 1, []],
  ['the minimum of its format', { type: 'integer', format: 'int32' }, -(2 ** 31), []],
  [
    'too large for any integer',
    { type: 'integer' },
    1e19,
    ['<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x (Invalid)'],
  ],
  [
    'too few items',
    listOf(text, { minItems: 1 }),
    [],
    ['spec.x: Invalid value: 0: spec.x in body should have at least 1 items (Invalid)'],
  ],
  [
    'too many items',
    listOf(text, { maxItems: 1 }),
    ['a', 'b'],
    ['spec.x: Too many: 2: must have at most 1 items (TooMany)'],
  ],
  [
    'a missing field inside a list',
    listOf(object({ a: text }, 'a')),
    [{ a: 'b' }, {}],
    ['spec.x[1].a: Required value (Required)'],
  ],
  [
    'a missing field inside a map',
    { type: 'object', additionalProperties: text },
    { k: 1 },
    ['spec.x.k: Invalid value: "integer": spec.x.k in body must be of type string: "integer" (TypeInvalid)'],
  ],
  [
    'a duplicate in a set',
    listOf(text, { 'x-kubernetes-list-type': 'set' }),
    ['a', 'b', 'a'],
    ['spec.x[2]: Duplicate value: "a" (Duplicate)'],
  ],
  [
    'a duplicate key in a map list',
    listOf(object({ name: text, to: text }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
    [{ name: 'a', to: 'b' }, { name: 'a' }],
    ['spec.x[1]: Duplicate value: {"name":"a"} (Duplicate)'],
  ],
  [
    'an embedded resource without a kind',
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    { apiVersion: 'v1' },
    ['spec.x.kind: Required value: must not be empty (Required)'],
  ],
  [
    'no match for anyOf',
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid (Invalid)',
      'spec.x.a: Required value (Required)',
    ],
  ],
  [
    'two matches for oneOf',
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { a: '', b: '' },
    [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives (Invalid)',
    ],
  ],
  [
    'a match for not',
    { ...text, not: { enum: ['a'] } },
    'a',
    ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not) (Invalid)'],
  ],
])('%s', (_, schema, value, expected) => {
  expect(complaints(schema, value)).toEqual(expected)
})

it('invalidMessage joins several causes in one message', () => {
  const causes = compileSchema(object({ spec: object({ a: text, b: text }, 'a', 'b') })).validate({ spec: {} })
  expect(invalidMessage('Widget', 'example.org', 'w', causes)).toBe(
    'Widget.example.org "w" is invalid: [spec.a: Required value, spec.b: Required value]',
  )
})

describe('rules', () => {
  const either = ruled(object({ a: text, b: text }), { rule: 'has(self.a) != has(self.b)', message: 'one of a, b' })
  const fixed = ruled(text, { rule: "oldSelf == '' || self == oldSelf", message: 'cannot be changed' })
  const pair = object({ from: text, to: text })

  test.each<[string, JsonSchema, unknown, unknown, string[]]>([
    ['a rule that holds', either, { a: 'x' }, undefined, []],
    ['a rule that fails', either, {}, undefined, ['spec.x: Invalid value: one of a, b (Invalid)']],
    ['a transition rule on create', fixed, 'b', undefined, []],
    ['a transition allowed', fixed, 'b', '', []],
    ['a transition rejected', fixed, 'b', 'a', ['spec.x: Invalid value: "b": cannot be changed (Invalid)']],
    [
      'all of a list',
      ruled(object({ n: listOf(pair) }), '!has(self.n) || self.n.all(n, n.from != n.to)'),
      { n: [{ from: 'a', to: 'a' }] },
      undefined,
      ['spec.x: Invalid value: failed rule: !has(self.n) || self.n.all(n, n.from != n.to) (Invalid)'],
    ],
    [
      'no pair twice',
      ruled(listOf(pair), 'self.all(i, self.exists_one(j, i.from == j.from && i.to == j.to))'),
      [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
      ],
      undefined,
      [],
    ],
    ['numbers', ruled({ type: 'integer' }, 'self > 2 && self + 1 < 10'), 3, undefined, []],
    [
      'a size',
      ruled(text, 'size(self) <= 3'),
      'abcd',
      undefined,
      ['spec.x: Invalid value: "abcd": failed rule: size(self) <= 3 (Invalid)'],
    ],
    ['a match', ruled(text, "self.matches('^a+$') && !('b').matches('a')"), 'aaa', undefined, []],
    [
      'an escaped name',
      ruled(object({ namespace: text, 'a-b': text }), 'self.__namespace__ == self.a__dash__b'),
      { namespace: 'a', 'a-b': 'a' },
      undefined,
      [],
    ],
    [
      'a field of an item that is there',
      ruled(listOf(pair), "has(self[0].from) && 'has(self[0].x)' != ''"),
      [{ from: 'a' }],
      undefined,
      [],
    ],
    [
      'a field of an item that is missing',
      ruled(listOf(pair), 'self.all(n, has(self[0].from) || has((self[1]) . to))'),
      [{ to: 'a' }, { from: 'a' }],
      undefined,
      ['spec.x: Invalid value: failed rule: self.all(n, has(self[0].from) || has((self[1]) . to)) (Invalid)'],
    ],
    [
      'a custom message, field and reason',
      ruled(object({ a: text }), {
        rule: 'false',
        messageExpression: "'not ' + self.a",
        fieldPath: '.a',
        reason: 'FieldValueForbidden',
      }),
      { a: 'x' },
      undefined,
      ['spec.x.a: Forbidden: not x (Forbidden)'],
    ],
    [
      'a rule whose evaluation fails',
      ruled(object({ a: text }), { rule: "self.a == 'x'", message: 'a is x' }),
      {},
      undefined,
      ['spec.x: Invalid value: "object": No such key: a evaluating rule: a is x (Invalid)'],
    ],
  ])('%s', (_, schema, value, old, expected) => {
    expect(complaints(schema, value, old)).toEqual(expected)
  })

  it('are not evaluated for an object of the wrong shape', () => {
    const schema = { ...either, properties: { ...either.properties, a: { type: 'integer' } } }
    expect(complaints(schema, { a: 'x', b: 'y' })).toEqual([
      expect.stringMatching(/^spec\.x\.a: Invalid value: "string"/),
      expect.stringMatching(/^<nil>: .* some validation rules were not checked because the object was invalid/),
    ])
  })

  it('match user patterns in linear time', () => {
    expect(complaints(ruled(text, "!self.matches('^(a+)+$')"), `${'a'.repeat(50_000)}!`)).toEqual([])
  })

  test.each(['self.isSorted()', 'url(self).getHost() == "a"', 'self ==', '1 + 1', 'nobody == self'])(
    'reject what cannot be evaluated: %s',
    (rule) => {
      expect(() => compileSchema(ruled(text, rule))).toThrow(SchemaError)
    },
  )
})

describe('ratcheting', () => {
  const named = listOf(object({ name: text, to: { ...text, enum: ['a'] } }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  })

  test.each<[string, JsonSchema, unknown, unknown, boolean]>([
    ['an unchanged invalid value is accepted', { ...text, enum: ['a'] }, 'z', 'z', true],
    ['a different invalid value is rejected', { ...text, enum: ['a'] }, 'y', 'z', false],
    [
      'a sibling of an invalid value may change',
      object({ a: { ...text, enum: ['a'] }, b: text }),
      { a: 'z', b: '2' },
      { a: 'z', b: '1' },
      true,
    ],
    ['a field that was already missing is accepted', object({ a: text }, 'a'), {}, {}, true],
    [
      'a field missing from a changed object is rejected',
      object({ a: text, b: text }, 'a'),
      { b: '2' },
      { b: '1' },
      false,
    ],
    [
      'an item is matched by its key',
      named,
      [
        { name: 'n', to: 'b' },
        { name: 'm', to: 'z' },
      ],
      [
        { name: 'm', to: 'z' },
        { name: 'n', to: 'b' },
      ],
      true,
    ],
    ['a rule on an unchanged value is accepted', ruled(object({ a: text }), 'false'), { a: 'x' }, { a: 'x' }, true],
  ])('%s', (_, schema, value, old, isFine) => {
    expect(complaints(schema, value, old).length === 0).toBe(isFine)
  })
})

it('compileSchema rejects a pattern outside RE2, and a property that would reach the prototype', () => {
  expect(() => compileSchema({ ...text, pattern: '(?=a)' })).toThrow(SchemaError)
  expect(() => compileSchema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object"}}}'))).toThrow(
    SchemaError,
  )
})
