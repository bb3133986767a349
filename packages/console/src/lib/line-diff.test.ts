import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { diffLines, hunksOf } from './line-diff'

const marks = { same: ' ', added: '+', removed: '-' }
const shown = (before: string, after: string) =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => marks[kind] + text)
    .join('')

test.each([
  ['', '', ''],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['abc', 'abc', ' a b c'],
  ['abc', 'axc', ' a-b+x c'],
  ['abc', 'ac', ' a-b c'],
  ['ac', 'abc', ' a+b c'],
  ['aab', 'ab', ' a-a b'],
  ['abcd', 'bxd', '-a b-c+x d'],
])('from %j to %j: %j', (before, after, expected) => expect(shown(before, after)).toBe(expected))

it('turns any text into any other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'))
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before, after)
      const of = (left: string) => diff.filter(({ kind }) => kind !== left).map(({ text }) => text)
      expect(of('added')).toEqual(before)
      expect(of('removed')).toEqual(after)
    }),
  )
})

test.each<[string, string, (number | string)[]]>([
  ['no change', '      ', [6]],
  ['one change', '    +    ', [3, ' + ', 3]],
  ['changes near each other', '  + -  ', [1, ' + - ', 1]],
  ['a change at either end', '+    -', [0, '+ ', 2, ' -', 0]],
])('hunks of %s', (_, kinds, expected) => {
  const kindOf: Record<string, 'same' | 'added' | 'removed'> = { ' ': 'same', '+': 'added', '-': 'removed' }
  const { pieces, hidden } = hunksOf(
    [...kinds].map((mark) => ({ kind: kindOf[mark] ?? 'same', text: mark })),
    1,
  )
  expect([...pieces.flatMap((piece) => [piece.hidden, piece.lines.map(({ text }) => text).join('')]), hidden]).toEqual(
    expected,
  )
})
