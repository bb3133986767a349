import { describe, expect, it, test } from 'vitest'
import { isVerification, parseReport, verifyTaskRunOf } from './enterprise-contract'
import { labels } from '../labels'
import { aTaskRun } from '../testing'

const rule = (title: string, over: object = {}) => ({
  msg: `${title} says so`,
  metadata: {
    code: `tests.${title}`,
    title,
    description: `about ${title}`,
    collections: ['minimal', 'slsa3'],
    effective_on: '2025-01-01T00:00:00Z',
    solution: `mend ${title}`,
    ...over,
  },
})
const report = {
  success: false,
  components: [
    { name: 'api', violations: [rule('signed')], warnings: [rule('fresh')], successes: [rule('tested')] },
    { name: 'web', success: true, successes: [rule('tested')] },
  ],
}
const json = JSON.stringify(report)

describe('a report', () => {
  it('EC-17 has violations, warnings and successes of each component, in this order', () => {
    expect(parseReport(json)?.map(({ rule: title, component }) => [title, component])).toEqual([
      ['signed', 'api'],
      ['fresh', 'api'],
      ['tested', 'api'],
      ['tested', 'web'],
    ])
  })

  test.each([
    ['EC-10 a violation has', 'signed', ['Failed']],
    ['EC-11 a warning has', 'fresh', ['Warning']],
    ['EC-12 successes have', 'tested', ['Success', 'Success']],
  ])('%s this outcome: %s %j', (_, title, outcomes) => {
    const rules = parseReport(json)?.filter(({ rule }) => rule === title)
    expect(rules?.map(({ outcome }) => outcome)).toEqual(outcomes)
  })

  it('EC-18 has the message and the metadata of a rule, as far as they concern its outcome', () => {
    const rules = parseReport(json)
    const about = { description: 'about signed', collections: ['minimal', 'slsa3'] }
    expect(rules?.[0]).toMatchObject({
      ...about,
      message: 'signed says so',
      solution: 'mend signed',
      effectiveOn: '2025-01-01T00:00:00Z',
    })
    expect(rules?.[1]).not.toHaveProperty('solution')
    expect(rules?.[1]).toHaveProperty('remedy', 'mend fresh')
    expect(rules?.[1]).toHaveProperty('message')
    expect(rules?.[2]).not.toHaveProperty('message')
    expect(rules?.[2]).not.toHaveProperty('effectiveOn')
  })

  it('names the image, the terms and the severity of a result', () => {
    const image = 'quay.io/payments/api@sha256:0a1b'
    const violations = [
      rule('pinned', { term: 'clone', severity: 'warning' }),
      rule('trusted', { term: ['build', 4, ' '] }),
      rule('odd', { term: { a: 1 }, severity: 3 }),
    ]
    const results = parseReport(JSON.stringify({ components: [{ name: 'api', containerImage: image, violations }] }))
    expect(results?.map(({ terms, severity }) => [terms, severity])).toEqual([
      [['clone'], 'warning'],
      [['build'], undefined],
      [undefined, undefined],
    ])
    expect(results?.every((result) => result.image === image)).toBe(true)
  })

  test.each([
    ['its own log', json],
    ['its own log, among other lines', `Reporting…\n${JSON.stringify(report, null, 2)}\ndone {}`],
    ['the log of the whole task', `step-init :-\n{"a":1}\n\nstep-report-json :-${json} step-summary :-\n{"b":2}`],
    ['marked lines', `[report] x\n${json.replace('{', '{\n').replace(/^/gm, '[report-json] ')}`],
    ['the first of two', `${json}\n{"components":[]}`],
  ])('EC-14 is found in %s', (_, log) => expect(parseReport(log)).toHaveLength(4))

  it('EC-14 is not cut at braces and step markers within its text', () => {
    const tricky = { components: [{ name: 'api', violations: [rule('x', { title: 'a } step-b :- {"' })] }] }
    expect(parseReport(`step-report-json :-${JSON.stringify(tricky)} step-c :-\n}`)?.[0]?.rule).toBe('a } step-b :- {"')
  })

  test.each([
    ['nothing', ''],
    ['text', 'panic: no report'],
    ['a truncated report', json.slice(0, 80)],
    ['another object', '{"success":true}'],
    ['invalid components', '{"components":"none"}'],
  ])('EC-16 is not found in %s', (_, log) => expect(parseReport(log)).toBeUndefined())

  it('EC-19 omits a component whose image was not found', () => {
    const missing = { name: 'gone', violations: [{ msg: 'GET https://x: 404 Not Found' }], successes: [rule('tested')] }
    const withRule = { name: 'gone too', violations: [rule('404 Not Found')] }
    const withMore = { name: 'both', violations: [{ msg: '404 Not Found' }, rule('signed')] }
    const components = parseReport(JSON.stringify({ components: [missing, withRule, withMore] }))
    expect(components?.map(({ component }) => component)).toEqual(['both', 'both'])
  })

  it('tolerates invalid components and rules', () => {
    const nonsense = { components: [null, 3, { violations: 'x', warnings: [null, { msg: 4, metadata: [] }] }] }
    expect(parseReport(JSON.stringify(nonsense))).toEqual([
      { rule: '-', outcome: 'Warning', component: '-', collections: [] },
    ])
  })
})

it('is written by the verify task', () => {
  const named = (task: string) => aTaskRun({ metadata: { labels: { [labels.pipelineTask]: task } } })
  expect(verifyTaskRunOf([named('init'), named('verify')])).toEqual(named('verify'))
  expect(verifyTaskRunOf([named('verify-conforma')])).toEqual(named('verify-conforma'))
  expect(verifyTaskRunOf([named('init')])).toBeUndefined()
})

test.each<[string, unknown, boolean]>([
  ['has the step that prints the report', [{ name: 'validate' }, { name: 'report-json' }], true],
  ['has other steps', [{ name: 'validate' }], false],
  ['has not started', undefined, false],
  ['has invalid steps', [null, 4, 'report-json'], false],
])('a task of another name that %s writes a report: %j %s', (_, steps, expected) => {
  const taskRun = aTaskRun({ metadata: { labels: { [labels.pipelineTask]: 'check' } } })
  // What a cluster returns is not checked.
  const status = { steps } as NonNullable<typeof taskRun.status>
  expect(isVerification({ ...taskRun, status })).toBe(expected)
})
