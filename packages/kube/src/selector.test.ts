import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseFieldSelector, parseLabelSelector, SelectorSyntaxError } from './parse-selector'
import {
  formatFieldSelector,
  formatLabelSelector,
  matchesRequirements,
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
  ['a>5', [{ key: 'a', operator: 'GreaterThan', values: ['5'] }]],
  ['a in ()', [{ key: 'a', operator: 'In', values: [''] }]],
  ['a in (y,x,y,)', [{ key: 'a', operator: 'In', values: ['', 'x', 'y'] }]],
  ['in in (in)', [{ key: 'in', operator: 'In', values: ['in'] }]],
  ['x.io/a=b', [{ key: 'x.io/a', operator: 'Equals', values: ['b'] }]],
])('parses %j', (text, requirements) => expect(parseLabelSelector(text)).toEqual(requirements))

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const integerRule = "for 'Gt', 'Lt' operators, the value must be an integer"

// The messages of k8s.io/apimachinery, labels/selector.go.
test.each([
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['=b', "found '=', expected: !, identifier, or 'end of string'"],
  ['!=a', "found '!=', expected: !, identifier, or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['!a=b', "found '=', expected: ',' or 'end of string'"],
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['a=(', "unable to parse requirement: found '(', expected: identifier"],
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
  ['a in', "unable to parse requirement: found '' expected: '('"],
  ['a in x', "unable to parse requirement: found 'x' expected: '('"],
  ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ['a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in (x y)', "unable to parse requirement: found 'y', expected: ',' or ')'"],
  ['a in (,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
  ['a:b', `unable to parse requirement: <nil>: Invalid value: "a:b": name part ${nameRule}`],
  ['-a=b', `unable to parse requirement: <nil>: Invalid value: "-a": name part ${nameRule}`],
  ['/a=b', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  [
    'a/=b',
    `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; name part ${nameRule}`,
  ],
  [
    'a/b/c=d',
    `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ],
  ['a=-x', `unable to parse requirement: values[0][a]: Invalid value: "-x": ${valueRule}`],
  ['a in (y,x,_z)', `unable to parse requirement: values[0][a]: Invalid value: "_z": ${valueRule}`],
  [
    'a in (-x,-y)',
    expect.stringMatching(/^unable to parse requirement: \[values\[0\]\[a\]: .*, values\[1\]\[a\]: .*\]$/),
  ],
  ['a>b', `unable to parse requirement: values[0]: Invalid value: "b": ${integerRule}`],
  ['a>', `unable to parse requirement: values[0]: Invalid value: "": ${integerRule}`],
  [
    'a<9223372036854775808',
    `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": ${integerRule}`,
  ],
  // Negative numbers are not valid label values, so nothing can be compared with them.
  ['a>-5', `unable to parse requirement: values[0][a]: Invalid value: "-5": ${valueRule}`],
])('rejects %j', (text, sentence: unknown) => {
  expect(() => parseLabelSelector(text)).toThrow(SelectorSyntaxError)
  expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ message: sentence }))
})

describe('matchesRequirements', () => {
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
    ['a>9007199254740992', { a: '9007199254740993' }, true],
    ['toString', {}, false],
    ['a=1,b', { a: '1' }, false],
    ['', {}, true],
  ])('%j matches %j: %s', (selector, labels, isMatch) =>
    expect(matchesRequirements(labels, parseLabelSelector(selector))).toBe(isMatch),
  )
})

const word = fc.stringMatching(/^[a-z0-9]([-a-z0-9_.]{0,8}[a-z0-9])?$/)
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    key: word,
    operator: fc.constantFrom('Equals', 'NotEquals'),
    values: fc.array(word, { minLength: 1, maxLength: 1 }),
  }),
  fc.record({ key: word, operator: fc.constantFrom('Exists', 'DoesNotExist'), values: fc.constant<string[]>([]) }),
  fc.record({
    key: word,
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.uniqueArray(word, { minLength: 1 }).map((values) => values.sort()),
  }),
  fc.record({
    key: word,
    operator: fc.constantFrom('GreaterThan', 'LessThan'),
    values: fc.nat().map((value) => [String(value)]),
  }),
)

it('parses the label selectors that it formats', () => {
  fc.assert(
    fc.property(fc.array(requirement), (requirements) => {
      expect(parseLabelSelector(formatLabelSelector({ matchExpressions: requirements }))).toEqual(requirements)
    }),
  )
})

it('ignores whitespace between tokens', () => {
  const blanks = fc.array(fc.constantFrom('', ' ', '\t', ' \n'), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(requirement), blanks, (requirements, blanks) => {
      let count = 0
      const blank = () => blanks[count++ % blanks.length] ?? ''
      const text = formatLabelSelector({ matchExpressions: requirements })
      const spaced = text.replaceAll(/!=|[=!<>(),]/g, (token) => `${blank()}${token}${blank()}`)
      expect(parseLabelSelector(spaced)).toEqual(requirements)
    }),
  )
})

it('either parses or rejects any text, and never fails otherwise', () => {
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
])('parses the field selector %j', (text, requirements) => expect(parseFieldSelector(text)).toEqual(requirements))

test.each([
  ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['a=b, ', "invalid selector: 'a=b, '; can't understand ' '"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a=b\\c', 'invalid field selector: invalid escape sequence: \\c'],
  ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
])('rejects the field selector %j', (text, sentence) => {
  expect(() => parseFieldSelector(text)).toThrow(new SelectorSyntaxError(sentence))
})

it('parses the field selectors that it formats', () => {
  const fields = fc.dictionary(word, fc.string({ unit: fc.constantFrom(...'ab,=\\!') }), { noNullPrototype: true })
  fc.assert(
    fc.property(fields, (fields) => {
      const read = parseFieldSelector(formatFieldSelector(fields))
      expect(Object.fromEntries(read.map(({ field, value }) => [field, value]))).toEqual(fields)
    }),
  )
})
