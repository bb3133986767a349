import { describe, expect, it, test } from 'vitest'
import { citationsIn } from './lib/citations.mjs'
import { mostRelevant, shuffle } from './lib/mutation/choice.mjs'
import { instrument, mutate, mutationsIn, recorderName } from './lib/mutation/mutations.mjs'
import { mutateRequirement, subjectsOf } from './lib/mutation/requirement.mjs'
import { exitOf } from './lib/mutation/vitest-run.mjs'
import { requirementTexts } from './lib/requirements.mjs'
import { parse } from './lib/symbol-graph.mjs'

const path = 'packages/console/src/x.tsx'
const inFunction = (body: string) => `function f() { ${body} }`

describe('mutations', () => {
  test.each<[what: string, body: string, mutated: string]>([
    ['condition negated', 'if (a) b;', 'if (!(a)) b;'],
    ['condition negated', 'return a ? b : c;', 'return !(a) ? b : c;'],
    ['operator changed', 'return a < b;', 'return a <= b;'],
    ['operator changed', 'return a === b;', 'return a !== b;'],
    ['operator changed', 'return c ?? (a && b);', 'return c ?? (a || b);'],
    ['number changed', 'return 7;', 'return 8;'],
    ['flag changed', 'return true;', 'return false;'],
    ['flag changed', 'return <a disabled/>;', 'return <a disabled={false}/>;'],
    ['text changed', "return 'No results found';", "return 'mutated';"],
    ['text changed', 'return `Delete ${name}?`;', "return 'mutated';"],
    ['text changed', 'return <a>Log out </a>;', 'return <a>mutated </a>;'],
    ['text changed', 'return <a title="Log out"/>;', 'return <a title="mutated"/>;'],
    ['order reversed', 'return [{ a }, { b }];', 'return [{ b },{ a }];'],
    ['call dropped', 'save(a); return;', 'void 0; return;'],
    ['call dropped', 'b = a;', 'void 0;'],
  ])('%s: %s', (what, body, mutated) => {
    const source = inFunction(body)
    const mutations = mutationsIn(path, source)
    expect(mutations.map((mutation) => mutation.what)).toEqual([what])
    expect(mutations.map((mutation) => mutate(source, mutation))).toEqual([inFunction(mutated)])
  })

  test.each<[why: string, source: string]>([
    ['what runs when the module is loaded', 'export const limit = 3; register()'],
    ['types', inFunction(`let a: 'No results' | 7 = b`)],
    ['names of properties', inFunction(`return { 'Not found': a, 7: b }`)],
    ['what is compared', inFunction(`switch (a) { case 'Not found': return b }`)],
    ['logs and programming errors', inFunction(`console.log('A log', 7); throw new Error('An error')`)],
    ['technical attributes', inFunction(`return <a className="One Two"/>`)],
  ])('leave out %s', (_, source) => expect(mutationsIn(path, source)).toEqual([]))

  it('are recorded when they are executed, by a module that otherwise behaves in the same way', () => {
    const source = `
      function f(a) {
        const isLarge = a > 3
        if (isLarge && a > 4) log('Large')
        else log('Small or equal')
        a > 5 ? log('Huge') : isLarge
        log('The end')
        return isLarge ? [true] : undefined
      }
      globalThis.tested = f`
    const executed = new Set<string>()
    const log: string[] = []
    const record = (key: string) => executed.add(String(mutationsIn(path, source)[Number(key.split(':')[1])]?.line))
    const scope: { tested?: (a: number) => unknown; [recorderName]: typeof record } = { [recorderName]: record }
    new Function('globalThis', 'log', instrument(path, source))(scope, (text: string) => log.push(text))
    expect([scope.tested?.(5), log]).toEqual([[true], ['Large', 'The end']])
    expect([...executed]).toEqual(['3', '4', '6', '7', '8'])
  })

  it('are recorded in JSX', () => {
    const source = inFunction('return <a isBlock title="Log out"> Log out {b}</a>')
    const record = (index: number) => `(globalThis.${recorderName}?.("${path}:${index}"), `
    expect(instrument(path, source)).toBe(
      inFunction(
        `return <a isBlock={${record(0)}true)} title={${record(1)}"Log out")}> {${record(2)}\`Log out\`)} {b}</a>`,
      ),
    )
  })
})

describe('the choice of a mutation', () => {
  it('prefers what has rare words in common with the requirement', () => {
    const texts = ['buttonWidth', 'height', 'buttonLabel']
    expect(mostRelevant('The labels of the button', texts, String, 2)).toEqual(['buttonLabel', 'buttonWidth'])
  })

  it('depends on the seed', () => {
    const orders = [1, 1, 2, 3, 4].map((seed) => shuffle(seed, ['a', 'b', 'c', 'd'], String).join(''))
    expect(orders[0]).toBe(orders[1])
    expect(new Set(orders).size).toBeGreaterThan(1)
  })
})

describe('a requirement', () => {
  const rule = `export const rule = (a) => (a > 3 ? 'Too large' : 'Fine')`
  const tests = `it('APP-01 a', f); it('APP-02 b', f)`
  const citations = [
    ...citationsIn(parse('packages/model/src/rule.test.ts', tests)),
    ...citationsIn(parse('e2e/rule.spec.ts', `it('APP-03 e', f)`)),
  ]
  const list = '| APP-01 | A list. | 1§1 |\n| APP-02 | Over 3 is too large. | 1§2 |\n| APP-03 | A form. | 1§3 |'
  const subjects = subjectsOf(requirementTexts(list), citations)

  it('is run with the unit tests that cite it', () => {
    expect(subjects.map(({ id, files }) => [id, files])).toEqual(
      ['APP-01', 'APP-02'].map((id) => [id, ['packages/model/src/rule.test.ts']]),
    )
    const names = ['APP-01 a', 'APP-02 b', 'group > APP-09, APP-02 b', 'APP-021 x']
    expect(names.filter((name) => subjects[1]?.names.test(name))).toEqual(['APP-02 b', 'group > APP-09, APP-02 b'])
  })

  const run = (executed: string[], failure?: string) => ({ passed: failure ? 0 : 1, failure, executed })
  const executed = ['packages/model/src/rule.ts:2']
  test.each([
    ['killed if a test fails', [run(executed), run([], 'expected 1')], 'killed', 'expected 1'],
    ['a survivor if all tests pass', [run(executed), run(executed)], 'survived', undefined],
    ['missing if a test fails without it', [run(executed, 'a')], 'skipped', 'Its tests fail without a mutation: a'],
    ['missing if nothing is executed', [run([])], 'skipped', 'Its tests execute nothing that can be mutated.'],
  ])('has a mutant that is %s', async (_, runs, is, why) => {
    const mutants: (string | undefined)[] = []
    const runTests = async (_files: string[], _names: RegExp, mutant?: string) => {
      mutants.push(mutant)
      return runs[mutants.length - 1] ?? run([])
    }
    const [, subject] = subjects
    if (!subject) throw new Error('There is no subject.')
    expect(await mutateRequirement(1, subject, () => rule, runTests)).toMatchObject({ is, why })
    expect(mutants).toEqual([undefined, ...executed].slice(0, runs.length))
  })
})

describe('a run of tests', () => {
  test.each([
    ['succeeds', '', 60_000, undefined],
    ['fails', 'process.exit(3)', 60_000, 'exit code 3'],
    ['is killed after the limit', 'while (true);', 300, 'it did not end within 0.3 s'],
  ])('%s', async (_, code, limitMs, failure) => {
    expect(await exitOf(['-e', code], {}, limitMs)).toBe(failure)
  })
})
