import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { ReleaseAttempt } from '@slipway/model/releases/release'
import type { RetryInfo } from '@slipway/model/releases/release-plan'
import { aPipelineRun } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { expect, test } from 'vitest'
import { releaseCatalogRef } from '../tekton/catalog/pipeline-parts'
import { mitigationFor, retryInfoFor, withMitigations } from './retries'

const pipeline = (path: string, maxRetries?: number) => ({
  pipelineRef: releaseCatalogRef(`pipelines/managed/${path}`),
  maxRetries,
})
const retryable = 'rh-advisories/rh-advisories.yaml'
const incremented = { mapping: { defaults: { tags: ['latest', '{{ incrementer }}'] } } }

test.each<[string, Parameters<typeof aReleasePlanAdmission>[0], unknown, Partial<RetryInfo>]>([
  ['of the platform', { spec: { pipeline: pipeline(retryable) } }, {}, { enabled: true, maxRetries: 2 }],
  ['of the admission', { spec: { pipeline: pipeline(retryable, 5) } }, {}, { enabled: true, maxRetries: 5 }],
  ['that forbids retries', { spec: { pipeline: pipeline(retryable, 0) } }, {}, { enabled: false }],
  [
    'for a pipeline that no operator allows to be retried',
    { spec: { pipeline: pipeline('fbc-release/fbc-release.yaml', 5) } },
    {},
    { enabled: false, reason: 'pipeline not configured for retries' },
  ],
  ['without a pipeline', { spec: { pipeline: undefined } }, {}, { enabled: false, reason: 'no pipeline defined' }],
  [
    'with a tag of the admission that counts up',
    { spec: { pipeline: pipeline(retryable), data: incremented } },
    {},
    { enabled: false, reason: 'disabled by tag: {{ incrementer }}' },
  ],
  [
    'with a tag of a plan that counts up',
    { spec: { pipeline: pipeline(retryable) } },
    { mapping: { components: [{ repositories: [{ tags: ['{{ incrementer }}'] }] }] } },
    { enabled: false, reason: 'disabled by tag: {{ incrementer }}' },
  ],
])('the retries of an admission follow the policy %s', (_, admission, data, expected) => {
  const info = retryInfoFor(aReleasePlanAdmission(admission), [aReleasePlan({ spec: { data } })])
  expect(info).toMatchObject(expected)
})

const info = retryInfoFor(aReleasePlanAdmission({ spec: { pipeline: pipeline(retryable) } }), [])
const failed = (failureReason: string): ReleaseAttempt => ({ failureReason, lastTask: 'push', lastStep: 'copy' })
const managed = aPipelineRun({ spec: { timeouts: { pipeline: '4h0m0s' } } })

test('each attempt gets twice the memory of the one before, up to a limit', () => {
  const limits: (string | undefined)[] = []
  const attempts: ReleaseAttempt[] = []
  for (let run: PipelineRun = managed; limits.length < 4; run = withMitigations(managed, attempts)) {
    const mitigation = mitigationFor(failed('OOMKill'), run, info)
    attempts.push({ ...failed('OOMKill'), mitigation })
    limits.push(mitigation.memoryLimit)
  }
  expect(limits).toEqual(['4Gi', '8Gi', '16Gi', '16Gi'])
  expect(withMitigations(managed, attempts.slice(0, 1)).spec.taskRunSpecs).toEqual([
    {
      pipelineTaskName: 'push',
      stepSpecs: [{ name: 'copy', computeResources: { limits: { memory: '4Gi' }, requests: { memory: '4Gi' } } }],
    },
  ])
})

test.each<[string, ReleaseAttempt['mitigation'], object]>([
  [
    'TaskRunTimeout',
    { taskTimeout: '2h0m0s', pipelinesTimeout: '4h0m0s' },
    { timeouts: { pipeline: '4h0m0s' }, taskRunSpecs: [{ pipelineTaskName: 'push', timeout: '2h0m0s' }] },
  ],
  ['PipelineRunTimeout', { pipelinesTimeout: '5h0m0s' }, { timeouts: { pipeline: '5h0m0s' } }],
])('an attempt after a %s gets more time', (reason, expected, spec) => {
  const mitigation = mitigationFor(failed(reason), managed, info)
  expect(mitigation).toEqual(expected)
  const retried = withMitigations(managed, [{ ...failed(reason), mitigation }])
  expect(retried.spec).toEqual({ ...managed.spec, ...spec })
})
