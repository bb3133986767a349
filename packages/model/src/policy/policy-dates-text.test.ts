import { expect, it, test } from 'vitest'
import { datesAsCalendar, datesAsMarkdown, happeningText, remedyOf, soonestText } from './policy-dates-text'
import type { PolicyDate } from './policy-horizon'

const nowMs = Date.parse('2026-11-29T12:00:00Z')
const run = { namespace: 'team', name: 'run-1' }
const component = (name: string, application = 'shop') => ({ namespace: 'team', application, component: name, run })
const aDate = (over: Partial<PolicyDate> = {}): PolicyDate => ({
  kind: 'rule',
  atMs: Date.parse('2026-12-03T00:00:00Z'),
  isDue: false,
  title: 'Signed',
  code: 'tests.signed',
  remedy: 'Sign it.',
  components: [component('api'), component('web')],
  ...over,
})
const about = { scope: 'team', nowMs, timeZone: 'UTC' }

test.each<[Partial<PolicyDate>, string, string]>([
  [{}, 'UTC', 'Fails from December 3, 2026'],
  [{}, 'America/New_York', 'Fails from December 2, 2026'],
  [{ isDue: true }, 'UTC', 'Fails since December 3, 2026'],
  [{ kind: 'waiver' }, 'UTC', 'Exception ends on December 3, 2026'],
  [{ kind: 'waiver', isDue: true }, 'UTC', 'Exception ended on December 3, 2026'],
  [{ kind: 'inclusion' }, 'UTC', 'Applies from December 3, 2026'],
  [{ kind: 'inclusion', isDue: true }, 'UTC', 'Applies since December 3, 2026'],
])('%j is in %s: %s', (over, zone, text) => expect(happeningText(aDate(over), zone)).toBe(text))

const later = { title: 'Later', code: 'tests.later', atMs: Date.parse('2026-12-04T00:00:00Z') }
test.each<[string, [Partial<PolicyDate>, ...Partial<PolicyDate>[]], string]>([
  ['a rule', [{}], '1 rule fails from December 3, 2026'],
  ['a rule that is due', [{ isDue: true }], '1 rule fails since December 3, 2026'],
  ['an exception', [{ kind: 'waiver' }], '1 exception ends on December 3, 2026'],
  ['an exception that is over', [{ kind: 'waiver', isDue: true }], '1 exception ended on December 3, 2026'],
  ['an inclusion', [{ kind: 'inclusion' }], '1 rule applies from December 3, 2026'],
  [
    'several of a day',
    [{}, { code: 'b', atMs: Date.parse('2026-12-03T09:00:00Z') }],
    '2 rules fail from December 3, 2026',
  ],
  [
    'one rule at several times of a day',
    [{}, { atMs: Date.parse('2026-12-03T09:00:00Z') }],
    '1 rule fails from December 3, 2026',
  ],
  [
    'several exceptions of a day',
    [{ kind: 'waiver' }, { kind: 'waiver', code: 'b' }],
    '2 exceptions end on December 3, 2026',
  ],
  [
    'several inclusions of a day',
    [{ kind: 'inclusion' }, { kind: 'inclusion', code: 'b' }],
    '2 rules apply from December 3, 2026',
  ],
  ['a later one', [{}, later], '1 rule fails from December 3, 2026, and 1 more date'],
  [
    'others on the same day, and later ones',
    [{}, { kind: 'waiver' }, later],
    '1 rule fails from December 3, 2026, and 2 more dates',
  ],
])('the soonest date of %s in a few words', (_, [first, ...others], text) =>
  expect(soonestText([aDate(first), ...others.map((over) => aDate(over))], 'UTC')).toBe(text),
)

test.each<[Partial<PolicyDate>, string]>([
  [{}, 'Sign it.'],
  [{ kind: 'waiver' }, 'Sign it. Or ask the owners of the policy to extend the exception.'],
  [{ remedy: undefined as never }, 'Make the components fulfil the rule.'],
])('before %j: %s', (over, text) => expect(remedyOf(aDate(over))).toBe(text))

it('dates are a list in Markdown', () => {
  const waiver = aDate({
    kind: 'waiver',
    title: 'cve',
    code: 'cve',
    policy: 'shared/default',
    reference: 'https://issues.test/1',
    components: [component('api', ''), component('api', '')],
  })
  expect(datesAsMarkdown([aDate(), waiver], about)).toBe(
    [
      '**Policy dates of team**, as of November 29, 2026',
      '',
      '- **Fails from December 3, 2026**: Signed (`tests.signed`)',
      '  - Components: shop/api, shop/web',
      '  - To do: Sign it.',
      '- **Exception ends on December 3, 2026**: cve',
      '  - Components: api',
      '  - To do: Sign it. Or ask the owners of the policy to extend the exception.',
      '  - Policy: shared/default',
      '  - Reference: https://issues.test/1',
    ].join('\n'),
  )
  expect(datesAsMarkdown([], about)).toContain('None.')
})

it('what others have written is no markup', () => {
  const text = datesAsMarkdown([aDate({ title: '[a](http://x)\n# *b*', code: 'a`b', remedy: '<img>' })], about)
  expect(text).toContain(String.raw`: \[a\](http://x) \# \*b\* (${'`a b`'})`)
  expect(text).toContain(String.raw`To do: \<img\>`)
})

it('dates are events of a calendar, in UTC', () => {
  const lines = datesAsCalendar([aDate({ components: [component('api')] })], about).split('\r\n')
  expect(lines).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Slipway//Policy dates//EN',
    'BEGIN:VEVENT',
    'UID:rule.1796256000000.tests.signed..team@slipway',
    'DTSTAMP:20261129T120000Z',
    'DTSTART:20261203T000000Z',
    'SUMMARY:Policy rule begins to fail: Signed (team)',
    String.raw`DESCRIPTION:Components: shop/api\nTo do: Sign it.`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

it('text is escaped and folded in a calendar, without cutting a character', () => {
  const title = `a;b,c\\d ${'é'.repeat(80)}`
  const file = datesAsCalendar([aDate({ title })], about)
  expect(file).toContain(String.raw`a\;b\,c\\d`)
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain('é'.repeat(80))
})

it('an event has the same name in every export, and another one in another policy', () => {
  const uid = (over: Partial<PolicyDate>, at = nowMs) =>
    /UID:(.*)/.exec(datesAsCalendar([aDate(over)], { ...about, nowMs: at }).replaceAll('\r\n ', ''))?.[1]
  expect(uid({})).toBe(uid({ isDue: true }, nowMs + 1_000))
  expect(uid({ policy: 'a/b' })).not.toBe(uid({ policy: 'a/c' }))
})
