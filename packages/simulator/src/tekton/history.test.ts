import { labels } from '@slipway/model/labels'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { expect, it } from 'vitest'
import { catalogRun, pipelineTaskOf, startMs, worldOf } from '../../test/tekton'
import { finishedPipelineRun } from './history'
import type { Outcome } from './outcome'

const historyOf = (pipeline: string, outcomes: Record<string, Outcome> = { '*': 'success' }, rest = {}) =>
  finishedPipelineRun({ run: catalogRun(pipeline, outcomes), startMs, world: worldOf(), ...rest })
type History = ReturnType<typeof historyOf>
const taskRun = ({ taskRuns }: History, task: string) => taskRuns.find((each) => pipelineTaskOf(each) === task)
const conditionOf = ({ pipelineRun }: History) => {
  const { status, reason, message } = succeededCondition(pipelineRun) ?? {}
  return `${status} ${reason} ${message}`
}

it('computes the complete history of a build', () => {
  const build = historyOf('docker-build-oci-ta')
  expect(conditionOf(build)).toBe('True Completed Tasks Completed: 19 (Failed: 0, Cancelled 0), Skipped: 1')
  const { status, metadata } = build.pipelineRun
  expect(metadata.creationTimestamp).toBe('2026-01-31T09:00:00Z')
  expect(status?.results?.map(({ name }) => name)).toEqual([
    'IMAGE_URL',
    'IMAGE_DIGEST',
    'SBOM_BLOB_URL',
    'CHAINS-GIT_URL',
    'CHAINS-GIT_COMMIT',
  ])
  expect(status?.results?.at(-1)?.value).toBe('c0ffee'.padEnd(40, '0'))
  expect(status?.skippedTasks?.map(({ name, reason }) => [name, reason])).toEqual([
    ['build-source-image', 'When Expressions evaluated to false'],
  ])
  expect(status?.childReferences?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(build.taskRuns.map((each) => each.metadata.name)),
  )
  expect(build.pods.map((pod) => pod.metadata.name).sort()).toEqual(
    build.taskRuns.map((each) => `${each.metadata.name ?? ''}-pod`).sort(),
  )
  const digest = taskRun(build, 'build-container')?.status?.results?.find(({ name }) => name === 'IMAGE_DIGEST')
  expect(status?.results?.[1]?.value).toBe(digest?.value)
})

it('starts each task when its dependencies have finished', () => {
  const build = historyOf('docker-build-oci-ta')
  const timesOf = (task: string) => taskRun(build, task)?.status
  expect(timesOf('clone-repository')?.startTime).toBe(timesOf('init')?.completionTime)
  expect(timesOf('clair-scan')?.startTime).toBe(timesOf('build-image-index')?.completionTime)
  const last = build.taskRuns
    .map(({ status }) => status?.completionTime ?? '')
    .sort()
    .at(-1)
  expect(build.pipelineRun.status?.completionTime).toBe(last)
  expect(taskRun(build, 'show-summary')?.metadata.labels?.[labels.memberOf]).toBe('finally')
})

it('is the same for the same seed, and differs for another seed', () => {
  const text = (seed: string) =>
    JSON.stringify(finishedPipelineRun({ run: catalogRun('docker-build'), startMs, world: worldOf(seed) }))
  expect(text('a')).toBe(text('a'))
  expect(text('a')).not.toBe(text('b'))
})

it('runs the builds of all platforms concurrently', () => {
  const build = historyOf('docker-build-multi-platform-oci-ta')
  const images = build.taskRuns.filter((each) => pipelineTaskOf(each) === 'build-images')
  expect(images.map(({ metadata }) => metadata.labels?.[labels.targetPlatform])).toEqual([
    'linux-x86_64',
    'linux-arm64',
    'linux-s390x',
    'linux-ppc64le',
  ])
  const index = taskRun(build, 'build-image-index')?.spec.params?.find(({ name }) => name === 'IMAGES')
  expect(index?.value).toEqual(
    images.map(({ status }) => status?.results?.find(({ name }) => name === 'IMAGE_REF')?.value),
  )
})

it('runs only the summary after a failure', () => {
  const build = historyOf('docker-build-oci-ta', { '*': 'success', 'build-container': 'fail' })
  expect(conditionOf(build)).toBe('False Failed Tasks Completed: 5 (Failed: 1, Cancelled 0), Skipped: 15')
  const reasons = new Map(build.pipelineRun.status?.skippedTasks?.map(({ name, reason }) => [name, reason]))
  expect(reasons.get('clair-scan')).toBe('PipelineRun was stopping')
  expect(reasons.get('show-sbom')).toBe('Results were missing')
  expect(taskRun(build, 'show-summary')?.spec.params).toContainEqual({ name: 'build-task-status', value: 'Failed' })
  const log = build.logs.find(({ pod, container }) => pod === 'run-build-container-pod' && container === 'step-build')
  const text = [...(log?.lines() ?? [])]
  expect(text.at(-1)?.text).toContain('exit status 1')
  expect(text.at(-1)?.atMs).toBeLessThanOrEqual(Date.parse(build.pipelineRun.status?.completionTime ?? '') + 1_000)
})

it('retries tasks with retries', () => {
  const tests = historyOf('e2e-tests', { '*': 'success', 'provision-cluster': 'flaky' })
  expect(conditionOf(tests)).toContain('True Completed')
  const { status } = taskRun(tests, 'provision-cluster') ?? {}
  expect(status?.podName).toBe('run-provision-cluster-pod-retry1')
  expect(status?.retriesStatus?.map((each) => each?.conditions?.[0]?.reason)).toEqual(['StepFailed'])
})

it('fails if its pipeline does not exist', () => {
  const lost = historyOf('unknown')
  expect(lost.taskRuns).toEqual([])
  expect(conditionOf(lost)).toContain(
    'False CouldntGetPipeline Error retrieving pipeline for pipelinerun team-payments/run',
  )
})

it('times out if a quota forbids a pod', () => {
  const build = historyOf('docker-build-oci-ta', { '*': 'success', 'clone-repository': 'quota' })
  expect(conditionOf(build)).toBe('False PipelineRunTimeout PipelineRun "run" failed to finish within "1h0m0s"')
  expect(build.pipelineRun.status?.completionTime).toBe('2026-01-31T10:00:00Z')
  expect(succeededCondition(taskRun(build, 'clone-repository') ?? { metadata: {} })?.reason).toBe('TaskRunCancelled')
})

it('ends when it is cancelled or stopped', () => {
  const run = catalogRun('docker-build-oci-ta', { '*': 'success' })
  const stopped = (status: 'Cancelled' | 'CancelledRunFinally' | 'StoppedRunFinally') =>
    finishedPipelineRun({
      run: { ...run, spec: { ...run.spec, status } },
      startMs,
      world: worldOf(),
      stoppedAfterMs: 120_000,
    })
  const cancelled = stopped('Cancelled')
  expect(conditionOf(cancelled)).toBe('False Cancelled PipelineRun "run" was cancelled')
  expect(cancelled.pipelineRun.status?.completionTime).toBe('2026-01-31T09:02:00Z')
  const build = taskRun(cancelled, 'build-container')
  expect(build?.status?.conditions?.[0]).toMatchObject({
    reason: 'TaskRunCancelled',
    message:
      'TaskRun "run-build-container" was cancelled. TaskRun cancelled as the PipelineRun it belongs to has been cancelled.',
  })
  const log = cancelled.logs.find(({ pod }) => pod === 'run-build-container-pod')
  expect([...(log?.lines() ?? [])].at(-1)?.atMs).toBeLessThanOrEqual(startMs + 120_000)
  expect(pipelineTaskOf(stopped('CancelledRunFinally').taskRuns.at(-1) ?? { metadata: {}, spec: {} })).toBe(
    'show-summary',
  )
  const last = stopped('StoppedRunFinally')
  expect(taskRun(last, 'build-container')?.status?.conditions?.[0]?.reason).toBe('Succeeded')
  expect(pipelineTaskOf(last.taskRuns.at(-1) ?? { metadata: {}, spec: {} })).toBe('show-summary')
})

it('cancels a task during either of its attempts', () => {
  const run = catalogRun('e2e-tests', { '*': 'success', 'provision-cluster': 'flaky' })
  const first = taskRun(historyOf('e2e-tests', { '*': 'success', 'provision-cluster': 'flaky' }), 'provision-cluster')
  const [firstAttempt] = first?.status?.retriesStatus ?? []
  const stopped = (afterMs: number) =>
    finishedPipelineRun({
      run: { ...run, spec: { ...run.spec, status: 'Cancelled' } },
      startMs,
      world: worldOf(),
      stoppedAfterMs: Date.parse(firstAttempt?.completionTime ?? '') - startMs + afterMs,
    })
  const before = taskRun(stopped(-2_000), 'provision-cluster')
  expect([before?.status?.podName, before?.status?.retriesStatus]).toEqual(['run-provision-cluster-pod', undefined])
  const after = taskRun(stopped(10_000), 'provision-cluster')
  expect([after?.status?.podName, after?.status?.retriesStatus]).toEqual([
    'run-provision-cluster-pod-retry1',
    [firstAttempt],
  ])
  expect(stopped(10_000).pods.map((pod) => [pod.metadata.name, pod.status?.phase])).toEqual([
    ['run-provision-cluster-pod', 'Failed'],
    ['run-provision-cluster-pod-retry1', 'Failed'],
  ])
})

/** The fields of runs that the console reads. Runs of a real cluster have all of them. */
const pipelineRunFields = [
  'apiVersion',
  'kind',
  'metadata.annotations',
  'metadata.creationTimestamp',
  'metadata.labels.tekton.dev/pipeline',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.params[].name',
  'spec.params[].value',
  'spec.taskRunTemplate.serviceAccountName',
  'spec.timeouts.pipeline',
  'status.childReferences[].apiVersion',
  'status.childReferences[].kind',
  'status.childReferences[].name',
  'status.childReferences[].pipelineTaskName',
  'status.childReferences[].whenExpressions[].input',
  'status.childReferences[].whenExpressions[].operator',
  'status.childReferences[].whenExpressions[].values[]',
  'status.completionTime',
  'status.conditions[].lastTransitionTime',
  'status.conditions[].message',
  'status.conditions[].reason',
  'status.conditions[].status',
  'status.conditions[].type',
  'status.pipelineSpec.description',
  'status.pipelineSpec.params[].default',
  'status.pipelineSpec.params[].description',
  'status.pipelineSpec.params[].name',
  'status.pipelineSpec.results[].name',
  'status.pipelineSpec.results[].value',
  'status.pipelineSpec.tasks[].name',
  'status.pipelineSpec.tasks[].params[].name',
  'status.pipelineSpec.tasks[].params[].value',
  'status.pipelineSpec.tasks[].runAfter[]',
  'status.pipelineSpec.tasks[].taskRef.params[].name',
  'status.pipelineSpec.tasks[].taskRef.params[].value',
  'status.pipelineSpec.tasks[].taskRef.resolver',
  'status.pipelineSpec.tasks[].when[].input',
  'status.pipelineSpec.tasks[].when[].operator',
  'status.pipelineSpec.tasks[].when[].values[]',
  'status.results[].name',
  'status.results[].value',
  'status.skippedTasks[].name',
  'status.skippedTasks[].reason',
  'status.skippedTasks[].whenExpressions[].input',
  'status.startTime',
]

/** From the documentation of Tekton, since real clusters delete TaskRuns early. */
const taskRunFields = [
  'metadata.labels.tekton.dev/pipelineRun',
  'metadata.labels.tekton.dev/pipelineTask',
  'metadata.ownerReferences[].uid',
  'spec.params[].name',
  'spec.params[].value',
  'spec.serviceAccountName',
  'spec.taskRef.params[].value',
  'status.completionTime',
  'status.conditions[].message',
  'status.podName',
  'status.results[].name',
  'status.results[].type',
  'status.results[].value',
  'status.startTime',
  'status.steps[].container',
  'status.steps[].imageID',
  'status.steps[].name',
  'status.steps[].terminated.containerID',
  'status.steps[].terminated.exitCode',
  'status.steps[].terminated.finishedAt',
  'status.steps[].terminated.reason',
  'status.steps[].terminated.startedAt',
  'status.steps[].terminationReason',
  'status.taskSpec.description',
  'status.taskSpec.steps[].image',
  'status.taskSpec.steps[].name',
  'status.taskSpec.steps[].script',
]

function* pathsOf(value: unknown, path = ''): Iterable<string> {
  yield path
  if (Array.isArray(value)) for (const element of value) yield* pathsOf(element, `${path}[]`)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) yield* pathsOf(field, path ? `${path}.${key}` : key)
  }
}

it('has the fields of runs of a real cluster', () => {
  const build = historyOf('docker-build-oci-ta')
  const runPaths = new Set(pathsOf(build.pipelineRun))
  expect(pipelineRunFields.filter((path) => !runPaths.has(path))).toEqual([])
  const taskPaths = new Set(build.taskRuns.flatMap((each) => [...pathsOf(each)]))
  expect(taskRunFields.filter((path) => !taskPaths.has(path))).toEqual([])
})
