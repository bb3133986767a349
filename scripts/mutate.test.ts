import { describe, expect, it, test } from 'vitest'
import { citationsIn } from './lib/citations.mjs'
import { mostRelevant, quotes, says, sharesWords, shuffle } from './lib/mutation/choice.mjs'
import { instrument, mutate, mutationsIn, recorderName } from './lib/mutation/mutations.mjs'
import { describeVerdict, mutateRequirement, subjectsOf } from './lib/mutation/requirement.mjs'
import { exitOf, toRecordings, type Recording } from './lib/mutation/vitest-run.mjs'
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
    ['operator changed', 'return (a && b);', 'return (a || b);'],
    ['value replaced by its fallback', 'return () => a ?? {};', 'return () => ({});'],
    ['number changed', 'return 7;', 'return 8;'],
    ['value changed', "return 'pipelineruns';", "return 'mutated';"],
    ['value changed', 'return <a name="user"/>;', 'return <a name="mutated"/>;'],
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
    ['what runs when the module is loaded', 'export const isOpen = a > b || true; register()'],
    ['types', inFunction(`let a: 'No results' | 7 = b`)],
    ['names of properties', inFunction(`return { 'Not found': a, 7: b }`)],
    ['names of destructured properties', 'function f({ "service-account": a, "Not found": b }) {}'],
    ['what is compared', inFunction(`switch (a) { case 'Not found': return b }`)],
    ['logs and programming errors', inFunction(`console.log('A log', 7); throw new Error('An error')`)],
    ['technical attributes', inFunction(`return <a id="One Two"/>`)],
    ['imports', inFunction(`return import('./page.ts')`)],
    ['attributes of styles', inFunction(`return <a className={b ? 'One' : 'Two'} isInline/>`)],
  ])('leave out %s', (_, source) => expect(mutationsIn(path, source)).toEqual([]))

  it('change constants, which nothing records', () => {
    const source = "export const columns = [{ label: 'Last deploy', isPinned: true, width: 30 }]"
    const mutations = mutationsIn(path, source)
    expect(mutations.map(({ what, place }) => [what, place])).toEqual([
      ['text changed', undefined],
      ['number changed', undefined],
    ])
    expect(instrument(path, source)).toBe(source)
  })

  it('come with the statement around them and the name of its function', () => {
    const long = 'a'.repeat(300)
    const source = `function buildMenu() {
      open(first)
      return [{ label: b, isHidden: true }, ${long}]
    }
    const menu = { build: () => { close(); if (c) d; } }`
    expect(mutationsIn(path, source).map(({ context }) => context)).toEqual([
      'buildMenu open(first)',
      'buildMenu { label: b, isHidden: true }',
      'build close();',
      'build if (c) d;',
    ])
  })

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

  it('into a fallback are recorded if there is a value', () => {
    const source = 'globalThis.tested = (a) => a.b ?? a.c ?? 1'
    const executed: string[] = []
    const record = (key: string) => executed.push(mutationsIn(path, source)[Number(key.split(':')[1])]?.after ?? '')
    const scope: { tested?: (a: unknown) => unknown; [recorderName]?: typeof record } = {}
    new Function('globalThis', instrument(path, source))(scope)
    scope[recorderName] = record
    expect([scope.tested?.({}), executed.splice(0)]).toEqual([1, ['2']])
    expect([scope.tested?.({ c: 2 }), executed.splice(0)]).toEqual([2, ['(1)']])
    expect([scope.tested?.({ b: 3 }), executed.splice(0)]).toEqual([3, ['(a.c)', '(1)']])
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
    expect(mostRelevant('The labels of the button', texts, String, 2)).toEqual(['buttonLabel'])
    const names = ['admission.name', 'admission.isDeleting', 'deleteLabel']
    expect(mostRelevant('An admission is deleted', names, String, 3)).toEqual(['admission.isDeleting'])
    expect(mostRelevant('The size and the color', ['and the width of a button'], String, 2)).toEqual([])
    expect(mostRelevant('The sizes of the button', texts, String, 2)).toEqual(['buttonWidth', 'buttonLabel'])
  })

  it('leaves out what has more to do with another requirement, unless that is everything', () => {
    const texts = ['startTime is required', 'dayOfMonth is required with a month']
    const others = ['The day of a month is required with a month.']
    const query = 'The start time is required with a day or a month.'
    expect(mostRelevant(query, texts, String, 3).toSorted()).toEqual(texts.toSorted())
    expect(mostRelevant(query, texts, String, 3, { others })).toEqual(texts.slice(0, 1))
    expect(mostRelevant(query, texts.slice(1), String, 3, { others })).toEqual(texts.slice(1))
    const withWeak = [...texts.slice(1), 'a start, a time, a color, a pattern, a border, a shadow, a width and a label']
    expect(mostRelevant(query, withWeak, String, 3, { others })).toEqual(texts.slice(1))
  })

  it('prefers the identifier that the requirement names', () => {
    const texts = ['the name of an integration test', 'integrationTestName', 'nameOfIntegrationTest']
    expect(mostRelevant('The parameter integrationTestName', texts, String, 1)).toEqual(['integrationTestName'])
  })

  it('prefers what is most like the subject of the test, and leaves out what has nothing to do with it', () => {
    const texts = ['labelOfRow', 'labelOfButton', 'height']
    const weightOf = (text: string) => (text === 'labelOfButton' ? 2 : 1)
    expect(mostRelevant('A label', texts, String, 3, { weightOf })).toEqual(['labelOfButton', 'labelOfRow'])
  })

  it.each([
    ['Something went wrong', true],
    ['`Error loading ${noun}: ${message}`', true],
    ['Unable to load the logs', false],
  ])('of the text %j follows from a requirement that has half of its words: %j', (text, expected) => {
    expect(sharesWords(text, "A failed load without a message shows 'Something went wrong' or an error.")).toBe(
      expected,
    )
  })

  it.each([
    ['Image registry credentials', 'A registry is required for image credentials.', false],
    ['Image registry credentials', "The type 'Image registry credentials' requires a registry.", true],
    ['Secret type', 'The columns of the list are Status, Name, Secret type and Labels.', true],
    ['`Delete ${name}?`', "A dialog titled 'Delete {name}?' asks for the name.", true],
    ['`Error loading ${noun}: ${message}`', "A failed load shows 'Something went wrong' or an error message.", true],
    ['Error loading', "The user's list shows that loading failed with an error.", false],
    ['Failed', 'A release is Failed if a test fails.', true],
    ['Failed', 'A failed list is reported below the field.', false],
  ])('the text %j is what the sentence %j says: %j', (text, sentence, expected) => {
    expect(says(sentence, text)).toBe(expected)
  })

  it.each([
    ["'No results found'", "An empty list shows 'No results found'.", true],
    ["'No results found'", 'No results found for a name are reported.', false],
    ["'Required'", "The name is required: 'Required'.", true],
    ["'Required'", "A name is required: 'Enter a name'.", false],
    ['`Unable to load ${noun}`', "A list gives the disabled item 'Unable to load applications'.", true],
    ["'Delete'", "A menu has 'Delete application'.", false],
    ["'admin'", "You don't see this if you aren't an admin, but the user's own.", false],
    ['&&', "A missing value is '-'.", false],
    ["'pipelineruns'", 'The other value is `pipelineruns`.', true],
    ["'pipelineruns'", 'The other value is pipelineruns.', false],
    ['1_000', 'Changes are shown after 500 ms or 1,000 messages.', true],
    ['50', "Changes are shown as 'Live' after 500 ms.", false],
    ['20', 'LIVE-20 shows changes', false],
  ])('the literal %s is quoted by the sentence %j: %j', (literal, sentence, expected) => {
    expect(quotes(sentence, literal)).toBe(expected)
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

  it('knows what the other requirements of its files say', () => {
    expect(subjects.map(({ text, others }) => [text, ...others])).toEqual([
      ['A list. | 1§1 a', 'Over 3 is too large. | 1§2 b'],
      ['Over 3 is too large. | 1§2 b', 'A list. | 1§1 a'],
    ])
  })

  it('is run with the tests of its nearest neighbors in the same file', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `APP-${index + 10}`)
    const file = parse('packages/model/src/rule.test.ts', ids.map((id) => `it('${id} a', f)`).join(';'))
    const many = subjectsOf(new Map(ids.map((id) => [id, 'A list.'])), citationsIn(file))
    const neighborsOf = (index: number) => ids.filter((id) => many[index]?.neighbors.some((names) => names.test(id)))
    expect(neighborsOf(10)).toEqual([7, 8, 9, 11, 12, 13].map((index) => ids[index]))
    expect(neighborsOf(0)).toEqual(ids.slice(1, 7))
  })

  const recordingOf = (executed: string[], elsewhere: Record<string, number> = {}): Recording => ({
    executed: new Set(executed),
    elsewhere: new Map(Object.entries(elsewhere)),
  })
  const executed = ['packages/model/src/rule.ts:2']
  const subject = subjects[1] ?? expect.fail()

  /** The keys of the mutants with which the tests are run. */
  const mutantsWith = async (recording: Recording, seed: number, rules: (path: string) => string = () => rule) => {
    const mutants: string[] = []
    await mutateRequirement(seed, subject, recording, rules, async ({ key }) => {
      mutants.push(key)
      return undefined
    })
    return mutants
  }
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

  it('is mutated where the tests of few neighbors execute anything', async () => {
    const all = [0, 1, 2, 3].map((index) => `packages/model/src/rule.ts:${index}`)
    const sharedBy = (counts: number[]) => Object.fromEntries(all.map((key, index) => [key, counts[index] ?? 0]))
    const mutantsIf = async (counts: number[]) =>
      (await Promise.all(seeds.map((seed) => mutantsWith(recordingOf(all, sharedBy(counts)), seed)))).flat()
    expect(new Set(await mutantsIf([6, 6, 6, 0]))).toEqual(new Set(all.slice(3)))
    expect(new Set(await mutantsIf([6, 6, 6, 1]))).toEqual(new Set(all.slice(3)))
    const shared = await mutantsIf([6, 6, 6, 6])
    expect(new Set(shared).size).toBeGreaterThan(1)
  })

  it('is mutated in the module of its test rather than in others', async () => {
    const keys = ['apiserver/src/other', 'model/src/rule'].flatMap((name) =>
      [0, 1, 2, 3, 4].map((index) => `packages/${name}.ts:${index}`),
    )
    const large = `export const rule = (a) => (a > 3 ? 'Too large' : a > 4 ? 'Too large' : 'Fine')`
    const mutants = await Promise.all(seeds.map((seed) => mutantsWith(recordingOf(keys), seed, () => large)))
    expect(mutants.flat().filter((key) => !key.includes('/rule.ts:'))).toEqual([])
  })

  it('is mutated in constants of modules that its tests execute, if it says them', async () => {
    const constants = `
      export const largeLimits = [3, 4]
      export const isTooLarge = (a) => a > largeLimits[0]`
    const keys = [0, 1, 2, 3].map((index) => `packages/model/src/rule.ts:${index}`)
    const mutantsOf = (indexes: number[]) =>
      Promise.all(
        seeds.map((seed) => mutantsWith(recordingOf(indexes.map((index) => keys[index] ?? '')), seed, () => constants)),
      )
    expect(new Set((await mutantsOf([2])).flat())).toEqual(new Set([keys[0]]))
    expect((await mutantsOf([])).flat()).toEqual([])
  })

  it('is mutated in the packages that make up the one of its test, not in those that only tests need', async () => {
    const keysIn = (name: string) => [0, 1, 2].map((index) => `packages/${name}/src/other.ts:${index}`)
    const mutants = await Promise.all(
      seeds.map((seed) => mutantsWith(recordingOf([...keysIn('kube'), ...keysIn('apiserver')]), seed)),
    )
    expect(mutants.flat()).toHaveLength(seeds.length)
    expect(mutants.flat().filter((key) => !keysIn('kube').includes(key))).toEqual([])
  })

  test.each<[string, Recording, failure: string | undefined, is: string, why: string | undefined, tested: string[]]>([
    ['killed if a test fails', recordingOf(executed), 'expected 1', 'killed', 'expected 1', executed],
    ['a survivor if all tests pass', recordingOf(executed), undefined, 'survived', undefined, executed],
    [
      'missing if a test fails without it',
      { ...recordingOf(executed), failure: 'a' },
      undefined,
      'skipped',
      'Its tests fail without a mutation: a',
      [],
    ],
    [
      'missing if nothing is executed',
      recordingOf([]),
      undefined,
      'skipped',
      'Its tests execute nothing that can be mutated and has to do with it.',
      [],
    ],
  ])('has a mutant that is %s', async (_, recording, failure, is, why, tested) => {
    const mutants: string[] = []
    const verdict = await mutateRequirement(
      1,
      subject,
      recording,
      () => rule,
      async ({ key }) => {
        mutants.push(key)
        return failure
      },
    )
    expect(verdict).toMatchObject({ is, why })
    expect(mutants).toEqual(tested)
  })

  it('is reported with its mutant and the first failure', async () => {
    const verdict = await mutateRequirement(
      1,
      subject,
      recordingOf(executed),
      () => rule,
      async () => 'expected 1',
    )
    expect(describeVerdict(subject, verdict)).toBe(
      ['killed   APP-02', 'packages/model/src/rule.ts:1: number changed: 3 → 4', 'expected 1'].join('\n    '),
    )
  })
})

describe('one run of the tests of several requirements', () => {
  const file = 'packages/model/src/rule.test.ts'
  const subjects = [
    { files: [file], names: /APP-01/, neighbors: [/APP-02/] },
    { files: [file], names: /APP-02/, neighbors: [/APP-01/] },
    { files: ['packages/model/src/other.test.ts'], names: /APP-03/, neighbors: [] },
  ]

  it('is divided among them', () => {
    const recordings = toRecordings(subjects, ['0+a:1', '0+a:1', '0-a:12', '0-a:12', '2+b:3'], [])
    expect(recordings.map(({ executed }) => [...executed])).toEqual([['a:1'], [], ['b:3']])
    expect(recordings.map(({ elsewhere }) => [...elsewhere])).toEqual([[['a:12', 2]], [], []])
  })

  test.each([
    ['of a test fails those that it proves', `${file}:7 › APP-02 b`, [1]],
    ['of a group or a file fails those that have tests there', file, [0, 1]],
    ['outside a test fails all', 'outside a test', [0, 1, 2]],
  ])('a failure %s', (_, test, failed) => {
    const recordings = toRecordings(subjects, [], [{ test, error: 'expected 1\nbut was 2' }])
    const failures = recordings.map(({ failure }) => failure)
    expect(failures).toEqual([0, 1, 2].map((index) => (failed.includes(index) ? `${test}: expected 1` : undefined)))
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
