import { describe, expect, it, test } from 'vitest'
import { citedIds, coverage, ranges, requirementIds } from './lib/requirements.mjs'

describe('requirementIds', () => {
  it('reads the first cell of each row and leaves struck-through ids out', () => {
    const markdown = `
## LIVE: Live updates

| Id | Requirement | Spec |
|---|---|---|
| LIVE-01 | A watch is a websocket. | 1§7 |
| ~~LIVE-02~~ | No longer holds, see LIVE-01. | 1§7 |
| LIVE-03 | See LIVE-02. | D7 |

| Area | Subject | Rows |
| LIVE | Live updates | 26 |
`
    expect(requirementIds(markdown)).toEqual(['LIVE-01', 'LIVE-03'])
  })
})

describe('citedIds', () => {
  test.each<[title: string, source: string, ids: string[]]>([
    ['one id', `it('BAN-13 a window', () => {})`, ['BAN-13']],
    ['several ids', `it('LIVE-20, LIVE-21 buffers', () => {})`, ['LIVE-20', 'LIVE-21']],
    ['describe and a nested test', `describe('APP-01 list', () => { test("APP-02 x", f) })`, ['APP-01', 'APP-02']],
    ['an id twice', `it('APP-01 a', f); it('APP-01 b', f)`, ['APP-01']],
    ['a template', 'it(`APP-01 draws ${n} rows`, f)', ['APP-01']],
    ['modifiers', `test.describe('APP-01 a', f); it.skipIf(x)('APP-02 b', f)`, ['APP-01', 'APP-02']],
    ['rows of a table', `it.each([['RELSTAT-01 none', 1], ['RELSTAT-02', 2]])('%s', f)`, ['RELSTAT-01', 'RELSTAT-02']],
    ['rows of a typed table', `test.each<Row>([['STAT-01 a', 1]] as const)('%s', f)`, ['STAT-01']],
    ['a table that is a constant', `const cases: Row[] = [['STAT-01 a', 1]]\nit.each(cases)('%s', f)`, ['STAT-01']],
    [
      'objects as rows',
      `it.for([{ n: 1, title: 'STAT-01 a' }, { title: 'STAT-02' }])('$title', f)`,
      ['STAT-01', 'STAT-02'],
    ],
    ['strings as rows', `it.each(['STAT-01 a'])('%s', f)`, ['STAT-01']],
    ['the title of a table', `it.each([[1]])('STAT-01 %s', f)`, ['STAT-01']],
    ['an id within a title does not count', `it('unlike BAN-13 it is open', f)`, []],
    ['an id in a comment or another call does not count', `// BAN-13 x\nlog('BAN-13 x')`, []],
    ['an id must be a word of its own', `it('BAN-13: x', f); it('BAN-1 x', f); it('SHA-2567 x', f)`, []],
  ])('%s', (_, source, ids) => expect(citedIds('x.test.tsx', source)).toEqual(ids))
})

describe('coverage', () => {
  it('counts per area, in the order of the list', () => {
    expect(coverage(['SHELL-01', 'SHELL-02', 'APP-01'], ['SHELL-02', 'APP-99'])).toEqual([
      { area: 'SHELL', total: 2, uncited: ['SHELL-01'] },
      { area: 'APP', total: 1, uncited: ['APP-01'] },
    ])
  })
})

describe('ranges', () => {
  test.each<[ids: string[], text: string]>([
    [[], ''],
    [['A-01'], '01'],
    [['A-01', 'A-02', 'A-03', 'A-07', 'A-09', 'A-10'], '01-03, 07, 09-10'],
  ])('%j is %j', (ids, text) => expect(ranges(ids)).toBe(text))
})
