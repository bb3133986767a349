import type { TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun, aTaskRun } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { catalogTask, worldOf } from '../../test/tekton'
import { forcedOutcomeOf, outcomeAnnotation, type Outcome } from './outcome'
import { planOf, type TaskPlan } from './plan'

const plan = (
  definition: string,
  outcome?: Outcome,
  params?: Record<string, string>,
  change = (run: TaskRun) => run,
) => {
  const { run, taskRun } = catalogTask(definition, outcome, params)
  return planOf(change(taskRun), run, worldOf())
}
const resultOf = ({ results }: TaskPlan, name: string): unknown =>
  JSON.parse(String(results.find((result) => result.name === name)?.value))
const steps = ({ steps }: TaskPlan) =>
  steps.map(({ name, reason, isSkipped }) => `${name} ${isSkipped ? 'Skipped' : reason}`)

it('runs steps one after the other and writes the results', () => {
  const { pendingMs, results, ...good } = plan('buildah-oci-ta', 'success', { IMAGE: 'registry.slipway.test/a/b:tag' })
  expect(good.succeeds).toBe(true)
  expect(pendingMs).toBeGreaterThanOrEqual(2_000)
  expect(good.steps.map(({ startMs }) => startMs).slice(1)).toEqual(good.steps.map(({ endMs }) => endMs).slice(0, -1))
  expect(good.steps[0]?.endMs).toBeGreaterThanOrEqual(150_000)
  expect(good.steps[0]?.endMs).toBeLessThanOrEqual(330_000)
  expect(Object.fromEntries(results.map(({ name, value }) => [name, value]))).toEqual({
    IMAGE_DIGEST: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    IMAGE_REF: expect.stringMatching(/^registry\.slipway\.test\/a\/b@sha256:/) as string,
    IMAGE_URL: 'registry.slipway.test/a/b:tag',
    SBOM_BLOB_URL: expect.stringMatching(/^registry\.slipway\.test\/a\/b@sha256:/) as string,
  })
})

it('is the same for the same attempt, differs for another attempt, and scales with the speed', () => {
  const { run, taskRun } = catalogTask('buildah')
  const again: TaskRun = { ...taskRun, status: { ...taskRun.status, retriesStatus: [{}] } }
  expect(planOf(taskRun, run, worldOf())).toEqual(planOf(taskRun, run, worldOf()))
  expect(planOf(again, run, worldOf()).steps).not.toEqual(planOf(taskRun, run, worldOf()).steps)
  const [slow, fast] = [planOf(taskRun, run, worldOf()), planOf(taskRun, run, worldOf('test', 10))]
  expect(fast.steps.at(-1)?.endMs).toBeCloseTo((slow.steps.at(-1)?.endMs ?? 0) / 10)
  // At least ten minutes (`scaledTimeout`).
  expect(fast.timeoutMs).toBe(600_000)
})

it('ends with the failing step and the message of Tekton', () => {
  const failed = plan('buildah', 'fail')
  expect(steps(failed)).toEqual([
    'build Error',
    'push Skipped',
    'sbom-syft-generate Skipped',
    'prepare-sboms Skipped',
    'upload-sbom Skipped',
  ])
  expect(failed).toMatchObject({
    succeeds: false,
    results: [],
    message: '"step-build" exited with code 1: Error',
  })
})

it('a step that runs out of memory is killed', () => {
  const { succeeds, message, steps: all } = plan('buildah', 'oom')
  expect([succeeds, all[0]?.exitCode, all[0]?.reason]).toEqual([false, 137, 'OOMKilled'])
  expect(message).toBe('"step-build" exited with code 137: OOMKilled')
})

it('a step with the outcome timeout never ends', () => {
  const hanging = plan('buildah', 'timeout')
  expect(hanging.steps[0]?.endMs).toBe(Infinity)
  expect(hanging.timeoutMs).toBe(3_600_000)
})

it.each<[Outcome, string, string, boolean]>([
  ['image-pull', 'TaskRunImagePullFailed', 'ImagePullBackOff', true],
  ['config-error', 'CreateContainerConfigError', 'CreateContainerConfigError', true],
  ['quota', 'ExceededResourceQuota', 'ExceededResourceQuota', false],
  ['unschedulable', 'ExceededNodeResources', 'Unschedulable', false],
])('the pod never runs with the outcome %s', (outcome, reason, podReason, hasFailure) => {
  const { neverRuns } = plan('buildah', outcome)
  expect(neverRuns).toMatchObject({ reason, podReason })
  expect(neverRuns?.failsAfterMs !== undefined).toBe(hasFailure)
})

it('only the first attempt fails with the outcome flaky', () => {
  const retried = (run: TaskRun): TaskRun => ({ ...run, status: { ...run.status, retriesStatus: [{}] } })
  expect(plan('e2e-tests', 'flaky').succeeds).toBe(false)
  expect(plan('e2e-tests', 'flaky', {}, retried).succeeds).toBe(true)
})

it.each<[Outcome, string]>([
  ['success', 'SUCCESS'],
  ['warning', 'WARNING'],
  ['failure', 'FAILURE'],
  ['skipped', 'SKIPPED'],
  ['error', 'ERROR'],
])('with the outcome %s the task succeeds and reports %s', (outcome, expected) => {
  const { succeeds, ...tested } = plan('deprecated-image-check', outcome)
  expect(succeeds).toBe(true)
  expect(resultOf({ succeeds, ...tested }, 'TEST_OUTPUT')).toMatchObject({
    result: expected,
    timestamp: '2026-01-31T09:00:00+00:00',
    note: expect.stringContaining('Task it') as string,
  })
})

it.each([
  ['clair-scan', 'SCAN_OUTPUT'],
  ['clair-scan-legacy', 'CLAIR_SCAN_RESULT'],
  ['clair-scan-index', 'CLAIR_SCAN_RESULTS'],
  ['cve-scan', 'CVE_SCAN_RESULT'],
  ['tekton-image-scan', 'TEKTON_SCAN_RESULTS'],
])('counts vulnerabilities: %s in %s', (definition, name) => {
  const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 }
  expect(resultOf(plan(definition, 'success'), name)).toMatchObject({ vulnerabilities: none })
  const found = resultOf(plan(definition, 'vulnerable'), name) as Record<string, typeof none>
  expect(found['vulnerabilities']?.critical).toBeGreaterThan(0)
  expect(found['unpatched_vulnerabilities']?.high).toBeGreaterThan(0)
  const { succeeds, results } = plan(definition, 'error')
  expect([succeeds, results.map((result) => result.name)]).toEqual([true, ['TEST_OUTPUT', 'IMAGES_PROCESSED']])
})

it('a failed policy fails the task if it is strict, and writes results', () => {
  const strict = plan('verify-enterprise-contract', 'failure', { STRICT: 'true' })
  expect(strict.succeeds).toBe(false)
  expect(steps(strict)).toEqual([
    'initialize-tuf Completed',
    'reduce Completed',
    'validate Completed',
    'report-json Completed',
    'summary Completed',
    'assert Error',
    'version Skipped',
  ])
  expect(resultOf(strict, 'TEST_OUTPUT')).toMatchObject({ result: 'FAILURE' })
  const lenient = plan('verify-enterprise-contract', 'failure', { STRICT: 'false' })
  expect(lenient.succeeds).toBe(true)
  expect(resultOf(lenient, 'TEST_OUTPUT')).toMatchObject({ result: 'FAILURE' })
})

it('fails at random now and then', () => {
  const runs = Array.from({ length: 1000 }, (_, index) => {
    const { run, taskRun } = catalogTask('buildah')
    return planOf({ ...taskRun, metadata: { ...taskRun.metadata, name: `run-${index}` } }, run, worldOf())
  })
  const failed = runs.filter(({ succeeds }) => !succeeds).length
  expect(failed).toBeGreaterThan(10)
  expect(failed).toBeLessThan(60)
})

it('runs the steps of an unknown task', () => {
  const own = aTaskRun({
    spec: {
      taskSpec: {
        steps: [
          { name: 'one', image: 'a', script: 'echo 1' },
          { name: 'two', image: 'b', command: ['true'] },
        ],
        results: [{ name: 'TEST_OUTPUT' }, { name: 'URL' }],
      },
    },
    status: { startTime: '2026-01-31T09:00:00Z' },
  })
  const known = planOf(own, undefined, worldOf())
  expect(steps(known)).toEqual(['one Completed', 'two Completed'])
  expect(resultOf(known, 'TEST_OUTPUT')).toMatchObject({ result: 'SUCCESS' })
  expect(steps(plan('unknown-task'))).toEqual(['run Completed'])
})

it.each<[string, string | undefined, Outcome | undefined]>([
  ['of the task', '{"build":"oom"}', 'oom'],
  ['of all tasks', '{"*":"slow"}', 'slow'],
  ['of the task before that of all', '{"*":"slow","build":"fail"}', 'fail'],
  ['of another task', '{"test":"fail"}', undefined],
  ['that is unknown', '{"build":"explode"}', undefined],
  ['that is not JSON', 'build=oom', undefined],
  ['that is not an object', '"oom"', undefined],
  ['null', 'null', undefined],
  ['that is absent', undefined, undefined],
])('forcedOutcomeOf parses an outcome %s', (_, annotation, expected) => {
  const run = aPipelineRun({ metadata: { annotations: { [outcomeAnnotation]: annotation } } })
  expect(forcedOutcomeOf(run, 'build')).toBe(expected)
})
