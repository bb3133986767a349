import { describe, expect, it, test } from 'vitest'
import type { RuleResult } from '../snapshots/enterprise-contract'
import { latestFindings, type PolicyCheck } from './policy-checks'
import { daysUntil, isOnHorizon, type KnownPolicy, policyDates } from './policy-horizon'
import { type Waiver, waiversOf } from './waivers'

const secondMs = 1_000
const checkedAt = '2026-11-20T00:00:00Z'
const now = Date.parse('2026-11-29T12:00:00Z')
const bite = '2026-12-03T00:00:00Z'
const biteMs = Date.parse(bite)

const aWarning = (over: Partial<RuleResult> = {}): RuleResult => ({
  rule: 'Signed',
  code: 'tests.signed',
  outcome: 'Warning',
  component: 'api',
  collections: [],
  message: 'not signed',
  remedy: 'sign it',
  effectiveOn: bite,
  ...over,
})
const aCheck = (results: RuleResult[], over: Partial<PolicyCheck> = {}): PolicyCheck => ({
  namespace: 'team',
  servedNamespace: 'team',
  application: 'shop',
  check: 'policy',
  pipelineRun: 'run-1',
  taskRun: 'run-1-verify',
  checkedAt,
  policy: 'shared/default',
  results,
  ...over,
})
const datesOf = (results: RuleResult[], nowMs = now) => policyDates(nowMs, latestFindings([aCheck(results)]), [])

describe('a rule that warns', () => {
  it('begins to fail on its date, for the components that it warns about', () => {
    expect(datesOf([aWarning(), aWarning({ component: 'web', message: 'not signed either' })])).toEqual([
      {
        kind: 'rule',
        atMs: biteMs,
        isDue: false,
        title: 'Signed',
        code: 'tests.signed',
        remedy: 'sign it',
        components: [
          {
            namespace: 'team',
            application: 'shop',
            component: 'api',
            message: 'not signed',
            run: { namespace: 'team', name: 'run-1' },
          },
          {
            namespace: 'team',
            application: 'shop',
            component: 'web',
            message: 'not signed either',
            run: { namespace: 'team', name: 'run-1' },
          },
        ],
      },
    ])
  })

  test.each<[string, number, boolean]>([
    ['a second before', biteMs - secondMs, false],
    ['at its time, since it is in effect only after that', biteMs, false],
    ['a millisecond after', biteMs + 1, true],
    ['a second after', biteMs + secondMs, true],
  ])('fails: %s', (_, nowMs, isDue) => expect(datesOf([aWarning()], nowMs)).toMatchObject([{ isDue }]))

  test.each<[string, Partial<RuleResult>, string | undefined]>([
    ['has no date', { effectiveOn: undefined as never }, undefined],
    ['has a date that was over when it was applied', { effectiveOn: '2026-11-19T23:59:59Z' }, undefined],
    ['has the date on which it was applied', { effectiveOn: checkedAt }, checkedAt],
    ['has a date in a form that Conforma takes for none', { effectiveOn: '2026-12-03T00:00:00+01:00' }, undefined],
    ['has a day for a date', { effectiveOn: '2026-12-03' }, undefined],
    ['has nonsense for a date', { effectiveOn: 'soon' }, undefined],
    ['has fractions of a second', { effectiveOn: '2026-12-03T00:00:00.5Z' }, '2026-12-03T00:00:00.5Z'],
    ['never does more than warn', { severity: 'warning' }, undefined],
    ['fails already', { outcome: 'Failed' }, undefined],
    ['is fulfilled', { outcome: 'Success' }, undefined],
    [
      'names in its message when a task is no longer trusted',
      {
        code: 'trusted_task.current',
        effectiveOn: '2024-05-07T00:00:00Z',
        message:
          'A newer version of task "build" exists. Please update before 2026-12-05T00:00:00Z. The current bundle is "a"',
      },
      '2026-12-05T00:00:00Z',
    ],
    [
      'names in its message when a task will be denied',
      {
        code: 'trusted_task.future_deny_rule',
        effectiveOn: '2022-01-01T00:00:00Z',
        message: 'Task "build" will be denied by rule pattern "oci://a" starting on 2026-12-06T00:00:00Z.',
      },
      '2026-12-06T00:00:00Z',
    ],
    [
      'speaks of another date',
      { effectiveOn: '2022-01-01T00:00:00Z', message: 'Please update before 2026-12-05T00:00:00Z.' },
      undefined,
    ],
    [
      'names no time',
      { code: 'trusted_task.current', effectiveOn: '', message: 'Please update before Friday' },
      undefined,
    ],
  ])('is on the calendar only with a date to come: it %s', (_, over, expected) => {
    expect(datesOf([aWarning(over)]).map(({ atMs }) => atMs)).toEqual(expected ? [Date.parse(expected)] : [])
  })

  it('has one date for all its components on a day, and one for each of its times', () => {
    const later = '2026-12-04T00:00:00Z'
    const dates = datesOf([
      aWarning({ effectiveOn: later }),
      aWarning({ component: 'web' }),
      aWarning({ rule: 'Pinned', code: 'tests.pinned' }),
    ])
    expect(dates.map(({ title, components }) => [title, components.map(({ component }) => component)])).toEqual([
      ['Pinned', ['api']],
      ['Signed', ['web']],
      ['Signed', ['api']],
    ])
  })

  it('names a component once, however many tests verify it', () => {
    const findings = latestFindings([aCheck([aWarning()]), aCheck([aWarning()], { check: 'strict' })])
    expect(policyDates(now, findings, [])[0]?.components).toHaveLength(1)
  })
})

const until = '2026-12-10T08:00:00+01:00'
const untilMs = Date.parse(until)
const digest = `sha256:${'a'.repeat(64)}`
const passed = (over: Partial<RuleResult> = {}) =>
  aWarning({ outcome: 'Success', image: `quay.io/team/api@${digest}`, ...over })

function datesWith(
  criteria: object[],
  {
    nowMs = now,
    kind = 'exclude',
    results = [passed(), passed({ component: 'web', image: 'quay.io/team/web:1' })],
    config = {},
  } = {},
) {
  const findings = latestFindings([aCheck(results)])
  const waivers = waiversOf({ sources: [{ config, volatileConfig: { [kind]: criteria } }] })
  const policy: KnownPolicy = { ref: { kind: 'object', namespace: 'shared', name: 'default' }, waivers, findings }
  return policyDates(nowMs, findings, [policy])
}

describe('an exception', () => {
  it('runs out for the components that it holds for', () => {
    expect(
      datesWith([
        { value: 'tests.signed', effectiveUntil: until, reference: 'https://issues.test/1', componentNames: ['web'] },
      ]),
    ).toEqual([
      {
        kind: 'waiver',
        atMs: untilMs,
        isDue: false,
        title: 'Signed',
        code: 'tests.signed',
        remedy: 'sign it',
        policy: 'shared/default',
        reference: 'https://issues.test/1',
        components: [
          { namespace: 'team', application: 'shop', component: 'web', run: { namespace: 'team', name: 'run-1' } },
        ],
      },
    ])
  })

  test.each<[string, number, boolean]>([
    ['a second before its end', untilMs - secondMs, false],
    ['at its last moment', untilMs, false],
    ['a second after', untilMs + secondMs, true],
  ])('has run out: %s', (_, nowMs, isDue) =>
    expect(datesWith([{ value: 'cve', effectiveUntil: until }], { nowMs })).toMatchObject([{ isDue }]),
  )

  test.each<[string, object[], string[]]>([
    ['without an end', [{ value: 'cve', effectiveOn: until }], []],
    ['that ends before it begins', [{ value: 'cve', effectiveOn: until, effectiveUntil: bite }], []],
    ['that ended before the last verification', [{ value: 'cve', effectiveUntil: '2026-11-19T23:59:59Z' }], []],
    ['for an image', [{ value: 'cve', effectiveUntil: until, imageDigest: digest }], ['api']],
    ['for a repository', [{ value: 'cve', effectiveUntil: until, imageUrl: 'quay.io/team/web' }], ['web']],
    ['for everything', [{ value: 'cve', effectiveUntil: until }], ['api', 'web']],
    ['for an image of another team', [{ value: 'cve', effectiveUntil: until, imageUrl: 'quay.io/other/api' }], []],
    [
      'that another one extends',
      [
        { value: 'cve', effectiveUntil: until },
        { value: 'cve', effectiveOn: '2026-12-10T07:00:01Z' },
      ],
      [],
    ],
    [
      'that one for all images extends',
      [
        { value: 'cve', effectiveUntil: until, componentNames: ['api'] },
        { value: 'cve', effectiveUntil: '2027-12-10T07:00:00Z' },
      ],
      ['api', 'web'],
    ],
    [
      'that another one for the same components extends',
      [
        { value: 'cve', effectiveUntil: until, componentNames: ['api', 'web'] },
        { value: 'cve', componentNames: ['web', 'api'] },
      ],
      [],
    ],
    [
      'after which there is a gap',
      [
        { value: 'cve', effectiveUntil: until },
        { value: 'cve', effectiveOn: '2026-12-10T07:00:02Z' },
      ],
      ['api', 'web'],
    ],
    [
      'of one rule, beside one of another',
      [{ value: 'cve', effectiveUntil: until }, { value: 'tests' }],
      ['api', 'web'],
    ],
  ])('is on the calendar with those that it affects: one %s', (_, criteria, expected) =>
    expect(datesWith(criteria).flatMap(({ components }) => components.map(({ component }) => component))).toEqual(
      expected,
    ),
  )

  it('changes nothing if the rule is left out for good', () =>
    expect(datesWith([{ value: 'cve', effectiveUntil: until }], { config: { exclude: ['cve'] } })).toEqual([]))

  it('is called by its rule as the policy writes it, if no report knows the rule', () =>
    expect(datesWith([{ value: '@redhat', effectiveUntil: until }])).toMatchObject([
      { title: '@redhat', code: '@redhat' },
    ]))

  it('has no name of a policy that the task was given itself', () => {
    const findings = latestFindings([aCheck([passed()])])
    const waivers: Waiver[] = waiversOf({
      sources: [{ volatileConfig: { exclude: [{ value: 'cve', effectiveUntil: until }] } }],
    })
    const [date] = policyDates(now, findings, [{ ref: { kind: 'inline', spec: {} }, waivers, findings }])
    expect(date?.title).toBe('cve')
    expect(date).not.toHaveProperty('policy')
  })
})

describe('a rule that is added', () => {
  test.each<[string, number, boolean]>([
    ['a second before', untilMs - secondMs, false],
    ['at its first moment', untilMs, true],
  ])('is applied: %s', (_, nowMs, isDue) =>
    expect(datesWith([{ value: 'cve', effectiveOn: until }], { nowMs, kind: 'include' })).toMatchObject([
      { kind: 'inclusion', isDue },
    ]),
  )

  test.each([
    ['without a beginning', { value: 'cve', effectiveUntil: until }],
    ['that the last verification has applied', { value: 'cve', effectiveOn: '2026-11-19T00:00:00Z' }],
  ])('is not on the calendar: one %s', (_, criterion) =>
    expect(datesWith([criterion], { kind: 'include' })).toEqual([]),
  )
})

describe('the calendar', () => {
  test.each<[string, string, string, number]>([
    ['UTC', '2026-11-29T23:59:59Z', '2026-11-30T00:00:00Z', 1],
    ['UTC', '2026-11-29T00:00:00Z', '2026-11-29T23:59:59Z', 0],
    ['Europe/Berlin', '2026-11-29T22:59:59Z', '2026-11-29T23:00:00Z', 1],
    ['America/New_York', '2026-12-03T04:59:59Z', '2026-12-03T05:00:00Z', 1],
    ['Pacific/Kiritimati', '2026-12-02T09:59:59Z', '2026-12-02T10:00:00Z', 1],
    // The clocks go forward and back: days of 23 and 25 hours.
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 1],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', 0],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 1],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', 0],
    // Samoa skipped a day.
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-30T10:00:00Z', 2],
  ])('counts midnights in %s from %s to %s: %i', (zone, from, to, days) =>
    expect(daysUntil(Date.parse(from), Date.parse(to), zone)).toBe(days),
  )

  const at = (time: string) => ({
    kind: 'rule' as const,
    atMs: Date.parse(time),
    isDue: false,
    title: '',
    components: [],
  })
  test.each<[string, string, boolean]>([
    ['UTC', '2027-02-27T23:59:59Z', true],
    ['UTC', '2027-02-28T00:00:00Z', false],
    ['Asia/Tokyo', '2027-02-27T14:59:59Z', true],
    ['Asia/Tokyo', '2027-02-27T15:00:00Z', false],
  ])('ends after 90 days in %s: %s %s', (zone, time, expected) =>
    expect(isOnHorizon(now, at(time), zone)).toBe(expected),
  )

  it('has what is due, however long it has been', () =>
    expect(isOnHorizon(now, { ...at('2020-01-01T00:00:00Z'), isDue: true })).toBe(true))
})
