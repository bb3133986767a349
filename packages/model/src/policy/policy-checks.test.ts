import { expect, it, test } from 'vitest'
import type { RuleResult } from '../snapshots/enterprise-contract'
import { byComponent, byRule, latestFindings, type PolicyCheck } from './policy-checks'

const aResult = (over: Partial<RuleResult> = {}): RuleResult => ({
  rule: 'Signed',
  code: 'tests.signed',
  outcome: 'Failed',
  component: 'api',
  collections: [],
  ...over,
})
const aCheck = (pipelineRun: string, results: RuleResult[], over: Partial<PolicyCheck> = {}): PolicyCheck => ({
  namespace: 'team',
  servedNamespace: 'team',
  application: 'shop',
  check: 'policy',
  pipelineRun,
  taskRun: `${pipelineRun}-verify`,
  checkedAt: `2026-12-0${pipelineRun}T00:00:00Z`,
  policy: 'shared/default',
  results,
  ...over,
})
const web = { component: 'web' }

test.each<[string, PolicyCheck[], string[]]>([
  ['nothing', [], []],
  ['the newest check of a component', [aCheck('1', [aResult()]), aCheck('2', [aResult()])], ['2 api']],
  [
    'an older check for a component that the newest does not cover',
    [aCheck('1', [aResult(), aResult(web)]), aCheck('2', [aResult()])],
    ['2 api', '1 web'],
  ],
  [
    'every result of a component, even of equal rules',
    [aCheck('1', [aResult({ message: 'a' }), aResult({ message: 'b' })])],
    ['1 api', '1 api'],
  ],
  [
    'the newest check of each test',
    [aCheck('1', [aResult()]), aCheck('2', [aResult()], { check: 'strict' })],
    ['2 api', '1 api'],
  ],
  [
    'components of the same name in several applications',
    [aCheck('1', [aResult()]), aCheck('2', [aResult()], { application: 'bank' })],
    ['2 api', '1 api'],
  ],
  [
    'the newest check, whatever the zone of its time',
    [
      aCheck('1', [aResult()], { checkedAt: '2026-12-03T01:00:00+02:00' }),
      aCheck('2', [aResult()], { checkedAt: '2026-12-03T00:00:00Z' }),
    ],
    ['2 api'],
  ],
])('what counts is %s', (_, checks, expected) =>
  expect(latestFindings(checks).map(({ component, from }) => `${from.pipelineRun} ${component}`)).toEqual(expected),
)

const findings = latestFindings([
  aCheck('1', [
    aResult({ outcome: 'Warning' }),
    aResult(web),
    aResult({ rule: 'Pinned', code: 'tests.pinned', outcome: 'Success' }),
    aResult({ rule: 'untitled.rule', code: 'untitled.rule', outcome: 'Warning', ...web }),
  ]),
  aCheck('2', [aResult({ outcome: 'Success' })], { application: 'bank' }),
])

it('results are grouped by rule, the worst first', () => {
  const groups = byRule(findings)
  expect(groups.map(({ title, subtitle, outcome, checkedAt }) => [title, subtitle, outcome, checkedAt])).toEqual([
    ['Signed', 'tests.signed', 'Failed', '2026-12-02T00:00:00Z'],
    ['Pinned', 'tests.pinned', 'Success', '2026-12-01T00:00:00Z'],
    ['untitled.rule', undefined, 'Warning', '2026-12-01T00:00:00Z'],
  ])
  expect(groups[0]?.counts).toEqual({ Failed: 1, Warning: 1, Success: 1 })
  expect(groups[0]?.findings.map(({ outcome, component }) => [outcome, component])).toEqual([
    ['Failed', 'web'],
    ['Warning', 'api'],
    ['Success', 'api'],
  ])
})

it('results are grouped by component of each application', () => {
  expect(byComponent(findings).map(({ title, subtitle, outcome }) => [title, subtitle, outcome])).toEqual([
    ['api', 'bank', 'Success'],
    ['api', 'shop', 'Warning'],
    ['web', 'shop', 'Failed'],
  ])
})
