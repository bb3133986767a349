import { describe, expect, it, test } from 'vitest'
import { citationsIn } from './lib/citations.mjs'
import { judge } from './lib/proof.mjs'
import { checksumOf, coverage, differences, ranges, requirementIds } from './lib/requirements.mjs'
import { parse } from './lib/symbol-graph.mjs'

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

describe('checksumOf', () => {
  const list = '| APP-01 | A list. | 2§2 |\n| APP-02 | A form. | 2§2 |\n'

  test.each([
    ['a row is removed', '| APP-01 | A list. | 2§2 |\n'],
    ['a row is struck through', list.replace('APP-02', '~~APP-02~~')],
    ['a row is reworded', list.replace('A form', 'A dialog')],
  ])('changes when %s', (_, changed) => expect(checksumOf(changed)).not.toBe(checksumOf(list)))

  it('does not change with the layout or with the text between the rows', () => {
    expect(checksumOf(`# Requirements\n\n${list.replaceAll('| A', '|   A')}\nThe end.`)).toBe(checksumOf(list))
  })
})

describe('citationsIn', () => {
  const cited = (source: string) => citationsIn(parse('x.test.tsx', source)).flatMap(({ ids }) => ids)

  test.each<[title: string, source: string, ids: string[]]>([
    ['one id', `it('BAN-13 a window', () => {})`, ['BAN-13']],
    ['several ids', `it('LIVE-20, LIVE-21 buffers', () => {})`, ['LIVE-20', 'LIVE-21']],
    ['a group and its test', `describe('APP-01 list', () => { test("APP-02 x", f) })`, ['APP-01', 'APP-02']],
    ['a group without a test proves nothing', `describe('APP-01 list', () => {})`, []],
    ['a template', 'it(`APP-01 draws ${n} rows`, f)', ['APP-01']],
    ['a group of Playwright', `test.describe('APP-01 a', () => { test('b', f) })`, ['APP-01']],
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
    ['a table of groups', `describe.each(['STAT-01 a'])('%s', () => it('b', f))`, ['STAT-01']],
    ['an id within a title does not count', `it('unlike BAN-13 it is open', f)`, []],
    ['an id in a comment or another call does not count', `// BAN-13 x\nlog('BAN-13 x')`, []],
    ['an id must be a word of its own', `it('BAN-13: x', f); it('BAN-1 x', f); it('SHA-2567 x', f)`, []],
    ['hooks are no tests', `test.beforeEach('APP-01 a', f)`, []],
  ])('%s', (_, source, ids) => expect(cited(source)).toEqual(ids))
})

/** A product of one screen, which uses `used` and `api.used`, with a server beside it. */
const product = {
  'packages/console/src/main.tsx': `import { routes } from './routes'\nstart(routes)`,
  'packages/console/src/routes.tsx': `
    import { rule } from '@slipway/model/rule'
    export const routes = [{ lazy: () => import('./Page').then((module) => module.Page) }]
    export const other = () => rule()`,
  'packages/console/src/Page.tsx': `
    import { api } from './api'
    import { used } from '@slipway/model/rule'
    import type { Shape } from './shape'
    export function Page() { const dead = used(); return <p>{dead}{api.used()}</p> }
    export const Unused = () => null`,
  'packages/console/src/api.ts': `export const api = { used: () => 1, dead: () => 2 }\nexport const door = () => 3`,
  'packages/console/src/shape.ts': `export type Shape = string\nexport const dead = 1`,
  'packages/console/test/render.ts': `import { routes } from '../src/routes'\nexport const render = () => routes`,
  'packages/console/test/expects.ts': `import { expect } from 'vitest'\nexport const expects = (x) => expect(x).toBe(1)`,
  'packages/model/src/rule.ts': `
    export const used = (dead = 1) => shared(dead)
    const shared = (value = 1) => value
    export const rule = () => 2
    export const dead = () => shared()`,
  'packages/model/src/testing.ts': `export const anObject = () => ({})`,
  'packages/simulator/src/simulate.ts': `import { rule } from '@slipway/model/rule'\nexport const simulate = () => rule()`,
  'packages/slipway/src/cli.ts': `import { simulate } from '@slipway/simulator/simulate'\nexport const main = () => simulate()`,
}

const decisions = {
  console: ['packages/console/src/main.tsx'],
  command: ['packages/slipway/src/cli.ts'],
  provenBy: [{ ids: ['SIM', 'APP-09'], package: 'simulator', why: 'It happens in the cluster.' }],
  doors: [{ symbol: 'packages/console/src/api.ts#door', why: 'For tests.' }],
}

/** What is thought of a test file. */
function verdict(path: string, source: string, { doors = decisions.doors } = {}) {
  const files: Record<string, string> = {
    ...product,
    [path]: `import { expect, it, describe } from 'vitest'\n${source}`,
  }
  return judge({ testFiles: [path], read: (path) => files[path] }, { ...decisions, doors })
}

const consoleTest = 'packages/console/src/Page.test.tsx'
const modelTest = 'packages/model/src/rule.test.ts'
const simulatorTest = 'packages/simulator/src/simulate.test.ts'

describe('proof', () => {
  test.each([
    [
      'a screen that a route leads to',
      consoleTest,
      `import { Page } from './Page'\nit('APP-01 a', () => expect(Page).toBe(1))`,
    ],
    [
      'a route, with the help of support',
      consoleTest,
      `import { render } from '../test/render'\nit('APP-01 a', () => expect(render()).toBe(1))`,
    ],
    [
      'a member that is used',
      consoleTest,
      `import { api } from './api'\nit('APP-01 a', () => expect(api.used()).toBe(1))`,
    ],
    [
      'a rule that a screen uses',
      modelTest,
      `import { used } from './rule'\nit('APP-01 a', () => expect(used()).toBe(1))`,
    ],
    [
      'an assertion made by support',
      consoleTest,
      `import { Page } from './Page'\nimport { expects } from '../test/expects'\nit('APP-01 a', () => expects(Page))`,
    ],
    [
      'a function of the test file',
      consoleTest,
      `import { Page } from './Page'\nconst look = () => expect(Page).toBe(1)\nit('APP-01 a', () => look())`,
    ],
    [
      'a group whose test proves it',
      consoleTest,
      `import { Page } from './Page'\ndescribe('APP-01 a', () => { it('b', () => expect(Page).toBe(1)) })`,
    ],
    [
      'a door that only tests open',
      consoleTest,
      `import { door } from './api'\nimport { Page } from './Page'\nit('APP-01 a', () => { door(); expect(Page).toBe(1) })`,
    ],
    ['a journey', 'e2e/journey.spec.ts', `it('APP-01 a', async ({ page }) => { await expect(page).toBe(1) })`],
    [
      'a test beside a group that is skipped',
      consoleTest,
      `import { Page } from './Page'
      describe('a', () => { beforeEach(({ skip }) => skip()) })
      it('APP-01 b', () => expect(Page).toBe(1))`,
    ],
    [
      'a screen with the help of a server',
      consoleTest,
      `import { Page } from './Page'\nimport { simulate } from '@slipway/simulator/simulate'
      it('APP-01 a', () => expect(simulate()).toBe(Page))`,
    ],
    [
      'a requirement that another package proves',
      simulatorTest,
      `import { simulate } from './simulate'\nit('APP-09 a', () => expect(simulate()).toBe(1))`,
    ],
    [
      'an area that another package proves',
      simulatorTest,
      `import { simulate } from './simulate'\nit('SIM-01 a', () => expect(simulate()).toBe(1))`,
    ],
  ])('is %s', (_, path, source) => {
    const { citations, proven } = verdict(path, source)
    expect([...proven]).toEqual(citations[0]?.ids)
  })

  const unreachable = (...symbols: string[]) => `tests of unreachable code (${symbols.join(', ')})`

  test.each([
    [
      'a function without a caller',
      modelTest,
      `import { dead } from './rule'\nit('APP-01 a', () => expect(dead()).toBe(1))`,
      unreachable('packages/model/src/rule.ts#dead'),
    ],
    [
      'such a function under another name',
      modelTest,
      `import { dead as used } from './rule'\nit('APP-01 a', () => expect(used()).toBe(1))`,
      unreachable('packages/model/src/rule.ts#dead'),
    ],
    [
      'such a function beside one that is used',
      modelTest,
      `import { dead, used } from './rule'\nit('APP-01 a', () => expect(dead()).toBe(used()))`,
      unreachable('packages/model/src/rule.ts#dead'),
    ],
    [
      'such a function in a table of the file',
      modelTest,
      `import { dead } from './rule'\nconst rows = [['x', dead]]\nit.each(rows)('APP-01 %s', (_, f) => expect(f()).toBe(1))`,
      unreachable('packages/model/src/rule.ts#dead'),
    ],
    [
      'such a function from a screen test',
      consoleTest,
      `import { dead } from '@slipway/model/rule'\nit('APP-01 a', () => expect(dead()).toBe(1))`,
      unreachable('packages/model/src/rule.ts#dead'),
    ],
    [
      'a member without a caller',
      consoleTest,
      `import { api } from './api'\nit('APP-01 a', () => expect(api.dead()).toBe(1))`,
      unreachable('packages/console/src/api.ts#api.dead'),
    ],
    [
      'a component in the file of a screen',
      consoleTest,
      `import { Unused } from './Page'\nit('APP-01 a', () => expect(Unused).toBe(1))`,
      unreachable('packages/console/src/Page.tsx#Unused'),
    ],
    [
      'a module of which only types are used',
      consoleTest,
      `import { dead } from './shape'\nit('APP-01 a', () => expect(dead).toBe(1))`,
      unreachable('packages/console/src/shape.ts#dead'),
    ],
    [
      'a rule that only the simulator uses',
      modelTest,
      `import { rule } from './rule'\nit('APP-01 a', () => expect(rule()).toBe(1))`,
      unreachable('packages/model/src/rule.ts#rule'),
    ],
    [
      'a test of the simulator',
      simulatorTest,
      `import { simulate } from './simulate'\nit('APP-01 a', () => expect(simulate()).toBe(1))`,
      'tests of simulator',
    ],
    [
      'a test of test support',
      modelTest,
      `import { anObject } from './testing'\nit('APP-01 a', () => expect(anObject()).toEqual({}))`,
      'tests that exercise no code of the product',
    ],
    [
      'a test of constants',
      consoleTest,
      `it('APP-01 a', () => expect(1).toBe(1))`,
      'tests that exercise no code of the product',
    ],
    [
      'a test without an assertion',
      consoleTest,
      `import { Page } from './Page'\nit('APP-01 a', () => Page())`,
      'tests without an assertion',
    ],
    ...[
      `it.skip`,
      `it.todo`,
      `it.fails`,
      `it.skipIf(true)`,
      `it.runIf(isLinux)`,
      `it.skip.each([1])`,
      `test.fixme`,
      `test.fail`,
    ].map(
      (it) =>
        [
          `${it}`,
          consoleTest,
          `import { Page } from './Page'\n${it}('APP-01 a', () => expect(Page).toBe(1))`,
          'tests that do not always run',
        ] as const,
    ),
    [
      'a test in a group that is skipped',
      consoleTest,
      `import { Page } from './Page'\ndescribe.skip('a', () => { it('APP-01 a', () => expect(Page).toBe(1)) })`,
      'tests that do not always run',
    ],
    [
      'a test that skips itself',
      consoleTest,
      `import { Page } from './Page'\nit('APP-01 a', (context) => { context.skip(); expect(Page).toBe(1) })`,
      'tests that do not always run',
    ],
    [
      'a test without an assertion that has a matcher',
      consoleTest,
      `import { Page } from './Page'\nit('APP-01 a', () => { expect(Page) })`,
      'tests without an assertion',
    ],
    [
      'such a test that waits for it',
      consoleTest,
      `import { Page } from './Page'\nit('APP-01 a', async () => { void expect(Page); await expect(Page) })`,
      'tests without an assertion',
    ],
    ...[
      ['a table without rows', `it.each([])('APP-01 a', () => expect(Page).toBe(1))`],
      ['a constant table without rows', `const rows = []\nit.for(rows)('APP-01 a', () => expect(Page).toBe(1))`],
      ['groups without rows', `describe.each([])('a', () => { it('APP-01 a', () => expect(Page).toBe(1)) })`],
      ['a branch', `if (process.env.NEVER) it('APP-01 a', () => expect(Page).toBe(1))`],
      ['an expression that may not be evaluated', `isLinux && it('APP-01 a', () => expect(Page).toBe(1))`],
      ['a file whose hook skips', `beforeEach(({ skip }) => skip())\nit('APP-01 a', () => expect(Page).toBe(1))`],
      ['a file that skips', `test.skip(!isLinux, 'elsewhere')\nit('APP-01 a', () => expect(Page).toBe(1))`],
      [
        'a group whose hook skips',
        `describe('a', () => { test.beforeEach(() => test.skip()); it('APP-01 a', () => expect(Page).toBe(1)) })`,
      ],
    ].map(
      ([title, test]) =>
        [
          `a test of ${title}`,
          consoleTest,
          `import { Page } from './Page'\n${test}`,
          'tests that do not always run',
        ] as const,
    ),
    [
      'unreachable code of another package beside a screen',
      consoleTest,
      `import { Page } from './Page'\nimport { dead } from '@slipway/model/rule'
      it('APP-01 a', () => expect(dead()).toBe(Page))`,
      unreachable('packages/model/src/rule.ts#dead'),
    ],
    [
      'a journey that opens no page',
      'e2e/journey.spec.ts',
      `it('APP-01 a', ({ system }) => expect(system).toBe(1))`,
      'end-to-end tests that open no page',
    ],
  ] as const)('is not %s', (_, path, source, doubt) => {
    const { proven, doubts } = verdict(path, source)
    expect([...proven]).toEqual([])
    expect([...(doubts.get('APP-01') ?? [])]).toEqual([doubt])
  })

  it('needs one test that proves it, whatever others do not', () => {
    const { proven, doubts } = verdict(
      modelTest,
      `import { dead, used } from './rule'
      it('APP-01 a', () => expect(dead()).toBe(1))
      it('APP-01 b', () => expect(used()).toBe(1))`,
    )
    expect([...proven]).toEqual(['APP-01'])
    expect(doubts).toEqual(new Map())
  })

  it('takes the use of an object for the use of all of its members', () => {
    const test = `import { api } from './api'\nit('APP-01 a', () => expect(api).toBe(1))`
    expect([...verdict(consoleTest, test).proven]).toEqual([])
  })

  test.each([
    ['code that the product uses', 'packages/console/src/Page.tsx#Page'],
    ['code that does not exist', 'packages/console/src/api.ts#gone'],
  ])('has no door for %s', (_, symbol) => {
    const { problems } = verdict(consoleTest, '', { doors: [{ symbol, why: 'For tests.' }] })
    expect(problems).toEqual([`${symbol} is no door that only tests open.`])
  })
})

describe('coverage', () => {
  it('counts per area, in the order of the list, and says why citations prove nothing', () => {
    const doubts = new Map([['APP-02', new Set(['tests of simulator'])]])
    expect(coverage(['SHELL-01', 'SHELL-02', 'APP-01', 'APP-02'], new Set(['SHELL-02', 'APP-99']), doubts)).toEqual([
      { area: 'SHELL', total: 2, proven: 1, uncited: ['SHELL-01'], doubted: new Map() },
      { area: 'APP', total: 2, proven: 0, uncited: ['APP-01'], doubted: new Map([['tests of simulator', ['APP-02']]]) },
    ])
  })
})

describe('differences', () => {
  const recorded = { list: { total: 3, sha256: 'abc' }, proven: 2 }

  test.each([
    ['nothing changed', recorded, []],
    ['more is proven', { ...recorded, proven: 3 }, []],
    ['less is proven', { ...recorded, proven: 1 }, ['2 requirements were proven before; now only 1 are.']],
    [
      'the list is shorter',
      { ...recorded, list: { total: 2, sha256: 'abc' } },
      ['docs/requirements.md is not the list of 3 requirements that was recorded.'],
    ],
    [
      'the list has other rows',
      { ...recorded, list: { total: 3, sha256: 'abd' } },
      ['docs/requirements.md is not the list of 3 requirements that was recorded.'],
    ],
  ])('%s', (_, found, problems) => expect(differences(recorded, found)).toEqual(problems))
})

describe('ranges', () => {
  test.each<[ids: string[], text: string]>([
    [[], ''],
    [['A-01'], '01'],
    [['A-01', 'A-02', 'A-03', 'A-07', 'A-09', 'A-10'], '01-03, 07, 09-10'],
  ])('%j is %j', (ids, text) => expect(ranges(ids)).toBe(text))
})
