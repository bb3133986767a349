import { expect, test } from 'vitest'
import type { RuleOutcome } from '../snapshots/enterprise-contract'
import { comparePolicy } from './policy-changes'
import type { Finding } from './policy-checks'

const finding = (
  component: string,
  code: string,
  outcome: RuleOutcome = 'Failed',
  over: Partial<Finding> = {},
): Finding => ({
  rule: code,
  code,
  outcome,
  component,
  collections: [],
  architectures: [],
  from: {
    namespace: 'team',
    servedNamespace: 'team',
    application: 'shop',
    check: 'policy',
    pipelineRun: 'run',
    taskRun: 'run-verify',
    checkedAt: '2026-12-01T00:00:00Z',
    policy: undefined,
  },
  ...over,
})
const otherTest: Partial<Finding> = { from: { ...finding('api', 'a').from, check: 'strict' } }

test.each<[string, Finding[], Finding[], string[], string[]]>([
  ['nothing', [finding('api', 'a')], [finding('api', 'a')], [], ['api']],
  ['a new violation', [finding('api', 'a', 'Success')], [finding('api', 'a')], ['Fails now api a'], ['api']],
  ['a warning that became one', [finding('api', 'a', 'Warning')], [finding('api', 'a')], ['Fails now api a'], ['api']],
  ['one that is solved', [finding('api', 'a')], [finding('api', 'a', 'Success')], ['No longer fails api a'], ['api']],
  [
    'one of several terms',
    [finding('api', 'a', 'Failed', { terms: ['x'] })],
    [finding('api', 'a', 'Failed', { terms: ['x'] }), finding('api', 'a', 'Failed', { terms: ['y'] })],
    ['Fails now api a'],
    ['api'],
  ],
  [
    'its message',
    [finding('api', 'a', 'Failed', { message: 'x' })],
    [finding('api', 'a', 'Failed', { message: 'y' })],
    [],
    ['api'],
  ],
  ['a component that is in one only', [finding('api', 'a')], [finding('web', 'a')], [], []],
  ['the test alone', [finding('api', 'a', 'Success')], [finding('api', 'a', 'Failed', otherTest)], [], []],
  [
    'both ways',
    [finding('api', 'a'), finding('web', 'a', 'Success')],
    [finding('web', 'b'), finding('api', 'b')],
    ['Fails now web b', 'Fails now api b', 'No longer fails api a'],
    ['api', 'web'],
  ],
])('two verifications that differ by %s', (_, before, after, changes, components) => {
  const compared = comparePolicy(before, after)
  expect(compared.changes.map((each) => `${each.change} ${each.finding.component} ${each.finding.code}`)).toEqual(
    changes,
  )
  expect(compared.components).toEqual(components)
})
