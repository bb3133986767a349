import { expect, it, test } from 'vitest'
import { labels } from '../labels'
import { aTaskRun, condition } from '../testing'
import { appliedPolicyRefs, checkOf, latestVerifications } from './verifications'

const done = [condition('Succeeded', 'True')]
const verify = (name: string, startTime: string, marks: Record<string, string> = {}, conditions = done) =>
  aTaskRun({
    metadata: { name, labels: { [labels.component]: 'api', [labels.scenario]: 'policy', ...marks } },
    status: { startTime, conditions },
  })
const old = '2026-12-01T00:00:00Z'
const recent = '2026-12-02T00:00:00Z'

test.each<[string, ReturnType<typeof verify>[], string[]]>([
  ['of one test', [verify('a', old), verify('b', recent)], ['b']],
  ['of one test, newest first', [verify('b', recent), verify('a', old)], ['b']],
  ['of two tests', [verify('a', old), verify('b', recent, { [labels.scenario]: 'strict' })], ['b', 'a']],
  ['of two components', [verify('a', old), verify('b', recent, { [labels.component]: 'web' })], ['b', 'a']],
  ['of two applications', [verify('a', old), verify('b', recent, { [labels.application]: 'bank' })], ['b', 'a']],
  ['of which one runs', [verify('a', old), verify('b', recent, {}, [condition('Succeeded', 'Unknown')])], ['a']],
  [
    'of which one is of a pull request',
    [verify('a', old), verify('b', recent, { [labels.eventType]: 'pull_request' })],
    ['a'],
  ],
  ['of a push', [verify('a', old, { [labels.eventType]: 'push' })], ['a']],
])('the latest verifications are known: %s', (_, taskRuns, expected) =>
  expect(latestVerifications(taskRuns).map(({ metadata }) => metadata.name)).toEqual(expected),
)

test.each<[string, Record<string, string>, string]>([
  ['its integration test', { [labels.scenario]: 'policy', [labels.pipeline]: 'release' }, 'policy'],
  ['its pipeline', { [labels.pipeline]: 'release' }, 'release'],
  ['its type if the pipeline has no name', { [labels.pipeline]: 'run-1', [labels.pipelineType]: 'managed' }, 'managed'],
  ['nothing', {}, ''],
])('a verification is of %s', (_, marks, check) => {
  const taskRun = aTaskRun({ metadata: { labels: { [labels.pipelineRun]: 'run-1', ...marks } } })
  expect(checkOf(taskRun, []).check).toBe(check)
})

it('a report is from a run and applies a policy', () => {
  const taskRun = aTaskRun({
    spec: {
      params: [
        { name: 'STRICT', value: 'true' },
        { name: 'POLICY_CONFIGURATION', value: 'shared/default' },
      ],
    },
    status: { startTime: old, completionTime: recent },
  })
  expect(checkOf(taskRun, [])).toEqual({
    namespace: 'team-payments',
    servedNamespace: 'team-payments',
    application: 'checkout',
    check: '',
    pipelineRun: 'checkout-api-on-push-x4k2p',
    taskRun: 'checkout-api-on-push-x4k2p-build',
    checkedAt: recent,
    policy: 'shared/default',
    results: [],
  })
})

it('a managed pipeline verifies the components of another namespace', () => {
  const taskRun = aTaskRun({ metadata: { namespace: 'releases', labels: { [labels.releaseNamespace]: 'team' } } })
  expect(checkOf(taskRun, [])).toMatchObject({ namespace: 'releases', servedNamespace: 'team' })
})

test.each<[string, unknown]>([
  ['none', undefined],
  ['nonsense', 'x'],
  ['a list', [null, { name: 'POLICY_CONFIGURATION', value: ['a'] }]],
])('a policy is unknown for parameters that are %s', (_, params) => {
  const taskRun = aTaskRun()
  expect(checkOf({ ...taskRun, spec: { ...taskRun.spec, params: params as never } }, []).policy).toBeUndefined()
})

test('policies are applied to the applications whose verifications name them', () => {
  const applying = (policy: string, application: string) =>
    aTaskRun({
      metadata: { labels: { [labels.application]: application } },
      spec: { params: [{ name: 'POLICY_CONFIGURATION', value: policy }] },
    })
  const runs = [
    applying('shared/default', 'checkout'),
    applying('own', 'checkout'),
    applying('shared/default', 'ledger'),
    applying('shared/default', 'ledger'),
    applying('', 'ledger'),
  ]
  expect(appliedPolicyRefs(runs)).toEqual([
    { ref: { kind: 'object', namespace: 'shared', name: 'default' }, applications: ['checkout', 'ledger'] },
    { ref: { kind: 'object', namespace: 'team-payments', name: 'own' }, applications: ['checkout'] },
  ])
})
