import { expect, it, test } from 'vitest'
import { groupFold, logRows, stepFold, type StepRows } from './log-rows'

const outer = { first: 1, last: 5, title: 'Outer', depth: 0 }
const inner = { first: 2, last: 4, title: 'Inner', depth: 1 }
const open = { first: 7, last: Infinity, title: 'Open', depth: 0 }
const build: StepRows = { container: 'step-build', count: 9, groups: [outer, inner, open], hasFoot: true }
const clone: StepRows = { container: 'step-clone', count: 2, groups: [], hasFoot: false }

function drawn(folded: string[] = [], steps: StepRows[] = [clone, build]) {
  const rows = logRows(steps, new Set(folded))
  return Array.from({ length: rows.count }, (_, index) => {
    const row = rows.at(index)
    return row.kind === 'line' ? `${row.step}:${row.line}` : `${row.step} ${row.kind}`
  })
}

test.each<[string, string[], string[]]>([
  ['everything but the ends of groups', [], ['1:0', '1:1', '1:2', '1:3', '1:6', '1:7', '1:8']],
  ['a folded group as its title', [groupFold('step-build', outer)], ['1:0', '1:1', '1:6', '1:7', '1:8']],
  ['a folded group within another', [groupFold('step-build', inner)], ['1:0', '1:1', '1:2', '1:6', '1:7', '1:8']],
  ['a folded group without an end', [groupFold('step-build', open)], ['1:0', '1:1', '1:2', '1:3', '1:6', '1:7']],
])('shows %s', (_, folded, lines) =>
  expect(drawn(folded)).toEqual(['0 head', '0:0', '0:1', '1 head', ...lines, '1 foot']),
)

it('shows a folded step as its head', () => {
  expect(drawn([stepFold('step-build')])).toEqual(['0 head', '0:0', '0:1', '1 head'])
})

it('finds the row of a line, or the one that it is folded into', () => {
  const rows = logRows([clone, build], new Set([groupFold('step-build', outer)]))
  expect([rows.indexOf(0, 1), rows.indexOf(1, 0), rows.indexOf(1, 3), rows.indexOf(1, 8)]).toEqual([2, 4, 5, 8])
  expect(logRows([clone, build], new Set([stepFold('step-build')])).indexOf(1, 3)).toBe(3)
})

it('keeps the key of a row when other rows are removed', () => {
  const before = logRows([clone, build], new Set())
  const after = logRows([clone, build], new Set([stepFold('step-clone')]))
  expect(after.keyAt(after.indexOf(1, 6))).toBe(before.keyAt(before.indexOf(1, 6)))
  expect(new Set(Array.from({ length: before.count }, (_, index) => before.keyAt(index))).size).toBe(before.count)
})

it('finds rows in any order', () => {
  const rows = logRows([clone, build], new Set())
  const kinds = [10, 0, 4, 10, 3, 11].map((index) => rows.at(index))
  expect(kinds).toEqual([
    { kind: 'line', step: 1, line: 8, group: undefined },
    { kind: 'head', step: 0 },
    { kind: 'line', step: 1, line: 0, group: undefined },
    { kind: 'line', step: 1, line: 8, group: undefined },
    { kind: 'head', step: 1 },
    { kind: 'foot', step: 1 },
  ])
})
