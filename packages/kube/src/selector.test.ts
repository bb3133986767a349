import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  formatFieldSelector,
  formatLabelSelector,
  isLabelKey,
  isLabelValue,
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
  SelectorSyntaxError,
  type LabelSelector,
  type Requirement,
} from './selector'

test.each<[string, LabelSelector, string]>([
  ['nothing', {}, ''],
  ['CALL-10 match labels', { matchLabels: { app: 'a', tier: 'web' } }, 'app=a,tier=web'],
  ['match labels are sorted by key', { matchLabels: { z: '1', a: '2' } }, 'a=2,z=1'],
  ['CALL-12 equals', { matchExpressions: [{ key: 'k', operator: 'Equals', values: ['v'] }] }, 'k=v'],
  ['CALL-13 not equals', { matchExpressions: [{ key: 'k', operator: 'NotEquals', values: ['v'] }] }, 'k!=v'],
  ['CALL-14 exists', { matchExpressions: [{ key: 'k', operator: 'Exists' }] }, 'k'],
  ['CALL-15 does not exist', { matchExpressions: [{ key: 'k', operator: 'DoesNotExist' }] }, '!k'],
  ['CALL-16 in', { matchExpressions: [{ key: 'k', operator: 'In', values: ['a', 'b'] }] }, 'k in (a,b)'],
  ['CALL-17 not in', { matchExpressions: [{ key: 'k', operator: 'NotIn', values: ['a', 'b'] }] }, 'k notin (a,b)'],
  ['CALL-18 greater', { matchExpressions: [{ key: 'k', operator: 'GreaterThan', values: ['5'] }] }, 'k > 5'],
  ['CALL-19 less', { matchExpressions: [{ key: 'k', operator: 'LessThan', values: ['5'] }] }, 'k < 5'],
  [
    'CALL-11 labels first, then the expressions in their order',
    {
      matchLabels: { a: '1' },
      matchExpressions: [
        { key: 'z', operator: 'Exists' },
        { key: 'b', operator: 'In', values: ['x'] },
      ],
    },
    'a=1,z,b in (x)',
  ],
])('%s', (_, selector, text) => expect(formatLabelSelector(selector)).toBe(text))

test.each<[string, Requirement[]]>([
  ['', []],
  ['  ', []],
  ['a=b', [{ key: 'a', operator: 'Equals', values: ['b'] }]],
  ['a==b', [{ key: 'a', operator: 'Equals', values: ['b'] }]],
  ['a=', [{ key: 'a', operator: 'Equals', values: [''] }]],
  [
    'a=,b',
    [
      { key: 'a', operator: 'Equals', values: [''] },
      { key: 'b', operator: 'Exists', values: [] },
    ],
  ],
  [' a != b ', [{ key: 'a', operator: 'NotEquals', values: ['b'] }]],
  ['!a', [{ key: 'a', operator: 'DoesNotExist', values: [] }]],
  ['a in (x, y)', [{ key: 'a', operator: 'In', values: ['x', 'y'] }]],
  ['a in (,x)', [{ key: 'a', operator: 'In', values: ['', 'x'] }]],
  ['a notin (x)', [{ key: 'a', operator: 'NotIn', values: ['x'] }]],
  ['a>-5', [{ key: 'a', operator: 'GreaterThan', values: ['-5'] }]],
  ['in in (in)', [{ key: 'in', operator: 'In', values: ['in'] }]],
  ['x.io/a=b', [{ key: 'x.io/a', operator: 'Equals', values: ['b'] }]],
])('reads %j', (text, requirements) => expect(parseLabelSelector(text)).toEqual(requirements))

test.each([
  'a,',
  ',a',
  'a,,b',
  '=b',
  'a in',
  'a in x',
  'a in (x',
  'a in (x y)',
  'a>b',
  'a>',
  'a b',
  '!',
  '!=a',
  'a=b=c',
  'a=-x',
  '-a=b',
  '/a=b',
  'a/=b',
  'a/b/c=d',
  'a!b',
])('refuses %j', (text) => expect(() => parseLabelSelector(text)).toThrow(SelectorSyntaxError))

describe('what matches', () => {
  test.each([
    ['a=1', { a: '1' }, true],
    ['a=1', {}, false],
    ['a=1', undefined, false],
    ['a!=1', {}, true],
    ['a!=1', { a: '2' }, true],
    ['a!=1', { a: '1' }, false],
    ['a in (1,2)', { a: '2' }, true],
    ['a notin (1,2)', {}, true],
    ['a notin (1,2)', { a: '2' }, false],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    ['a>5', { a: '10' }, true],
    ['a>5', { a: 'x' }, false],
    ['a<5', { a: '4' }, true],
    ['toString', {}, false],
    ['a=1,b', { a: '1' }, false],
    ['', {}, true],
  ])('%j and %j: %s', (selector, labels, isMatch) =>
    expect(matchesRequirements(labels, parseLabelSelector(selector))).toBe(isMatch),
  )
})

test.each([
  ['a', true],
  ['example.io/a_b.c', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  [`${'a'.repeat(253)}/b`, true],
  [`${'a'.repeat(254)}/b`, false],
  ['Upper.io/a', false],
  ['a..b/c', false],
  ['', false],
])('is %j a label key: %s', (key, isKey) => expect(isLabelKey(key)).toBe(isKey))

test.each([
  ['', true],
  ['a', true],
  ['A_b.c-9', true],
  ['user@example.com', false],
  ['-a', false],
  ['a'.repeat(64), false],
])('is %j a label value: %s', (value, isValue) => expect(isLabelValue(value)).toBe(isValue))

const word = fc.stringMatching(/^[a-z0-9]([-a-z0-9_.]{0,8}[a-z0-9])?$/)
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    key: word,
    operator: fc.constantFrom('Equals', 'NotEquals'),
    values: fc.array(word, { minLength: 1, maxLength: 1 }),
  }),
  fc.record({ key: word, operator: fc.constantFrom('Exists', 'DoesNotExist'), values: fc.constant<string[]>([]) }),
  fc.record({ key: word, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(word, { minLength: 1 }) }),
  fc.record({
    key: word,
    operator: fc.constantFrom('GreaterThan', 'LessThan'),
    values: fc.integer().map((value) => [String(value)]),
  }),
)

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.array(requirement), (requirements) => {
      expect(parseLabelSelector(formatLabelSelector({ matchExpressions: requirements }))).toEqual(requirements)
    }),
  )
})

it('refuses or reads any text, and never anything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab=!<>(), in/-.') }), (text) => {
      try {
        parseLabelSelector(text)
      } catch (error) {
        expect(error).toBeInstanceOf(SelectorSyntaxError)
      }
    }),
  )
})

test.each([
  ['metadata.name=x', [{ field: 'metadata.name', operator: 'Equals', value: 'x' }]],
  ['metadata.name==x', [{ field: 'metadata.name', operator: 'Equals', value: 'x' }]],
  [
    'a!=x,b=',
    [
      { field: 'a', operator: 'NotEquals', value: 'x' },
      { field: 'b', operator: 'Equals', value: '' },
    ],
  ],
  ['a=x\\,y\\=z\\\\', [{ field: 'a', operator: 'Equals', value: 'x,y=z\\' }]],
  ['', []],
])('reads the field selector %j', (text, requirements) => expect(parseFieldSelector(text)).toEqual(requirements))

it('refuses a field selector without an operator', () => {
  expect(() => parseFieldSelector('metadata.name')).toThrow(
    "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
  )
})

it('reads the field selectors that it writes', () => {
  const fields = fc.dictionary(word, fc.string({ unit: fc.constantFrom(...'ab,=\\!') }), { noNullPrototype: true })
  fc.assert(
    fc.property(fields, (fields) => {
      const read = parseFieldSelector(formatFieldSelector(fields))
      expect(Object.fromEntries(read.map(({ field, value }) => [field, value]))).toEqual(fields)
    }),
  )
})
