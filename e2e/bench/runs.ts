import { nameOf } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import type { PipelineTask } from '@slipway/model/runs/tekton'

/** Realistic runs of about 17 kB each. They are always the same, so that figures of different days are comparable. */

const taskCount = 14
const firstStartMs = Date.parse('2026-01-01T00:00:00Z')
const minuteMs = 60_000
const host = 'https://git.slipway.test/payments'

export const runName = (index: number): string => `build-${String(index).padStart(5, '0')}`

/** A successful build; builds with a higher number started later. */
export function aLargeRun(index: number, at: { namespace: string; application: string }): PipelineRun {
  const name = runName(index)
  const component = `service-${index % 20}`
  const sha = index.toString(16).padStart(40, '0')
  const startMs = firstStartMs + index * minuteMs
  const tasks = Array.from({ length: taskCount }, (_, number) => aTask(number))
  const time = (afterMs: number) => new Date(startMs + afterMs).toISOString().replace('.000Z', 'Z')
  return aPipelineRun({
    metadata: {
      name,
      namespace: at.namespace,
      labels: {
        [labels.application]: at.application,
        [labels.component]: component,
        [labels.commitSha]: sha,
        [labels.eventType]: 'push',
        [labels.organization]: 'payments',
        [labels.repositoryName]: component,
        [labels.pipeline]: name,
        [labels.runState]: 'completed',
      },
      annotations: {
        [annotations.branch]: 'main',
        [annotations.buildCommitSha]: sha,
        [annotations.repository]: `${host}/${component}?rev=${sha}`,
        [annotations.pacBranch]: 'main',
        [annotations.pacShaTitle]: `Bound the retries of call ${index}`,
        [annotations.pacShaUrl]: `${host}/${component}/commit/${sha}`,
        [annotations.pacRepositoryUrl]: `${host}/${component}`,
        [annotations.pacSender]: 'ada',
      },
    },
    spec: { pipelineSpec: { tasks }, params: someParams('run', 8) },
    status: {
      startTime: time(0),
      completionTime: time(minuteMs),
      conditions: [{ ...condition('Succeeded', 'True'), message: `Tasks Completed: ${taskCount}, Skipped: 0` }],
      pipelineSpec: { tasks },
      childReferences: tasks.map((task) => ({
        apiVersion: 'tekton.dev/v1',
        kind: 'TaskRun',
        name: `${name}-${task.name}`,
        pipelineTaskName: task.name,
      })),
      results: [
        { name: 'IMAGE_URL', value: `registry.slipway.test/payments/${component}:${sha}` },
        { name: 'IMAGE_DIGEST', value: `sha256:${sha.padStart(64, '0')}` },
      ],
    },
  })
}

const aTask = (number: number): PipelineTask => ({
  name: `task-${number}`,
  ...(number > 0 && { runAfter: [`task-${number - 1}`] }),
  params: someParams(`task-${number}`, 2),
  taskRef: {
    resolver: 'bundles',
    params: [
      { name: 'name', value: `task-${number}` },
      { name: 'bundle', value: `registry.slipway.test/tasks/task-${number}:0.1@sha256:${'5c'.repeat(32)}` },
      { name: 'kind', value: 'task' },
    ],
  },
})

const someParams = (of: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `${of}-param-${index}`,
    value: `$(tasks.clone-repository.results.value-of-${of}-${index})`,
  }))

/** A build whose first task has failed, newer than those with a lower number. */
export function aFailedRun(index: number, at: { namespace: string; application: string }): PipelineRun {
  const run = aLargeRun(index, at)
  return {
    ...run,
    status: {
      ...run.status,
      conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: 'Tasks Completed: 1 (Failed: 1)' }],
      childReferences: run.status?.childReferences?.slice(0, 1) ?? [],
    },
  }
}

/** The task of a run with the long log. */
export const aLoggingTask = (run: PipelineRun, exitCode: number): TaskRun => {
  const name = `${nameOf(run)}-task-0`
  const time = '2026-01-01T00:00:30Z'
  return aTaskRun({
    metadata: {
      name,
      namespace: run.metadata.namespace ?? '',
      labels: {
        [labels.application]: run.metadata.labels?.[labels.application] ?? '',
        [labels.pipelineRun]: nameOf(run),
        [labels.pipelineTask]: 'task-0',
      },
    },
    status: {
      podName: `${name}-pod`,
      startTime: time,
      completionTime: time,
      conditions: [exitCode === 0 ? condition('Succeeded', 'True') : condition('Succeeded', 'False', 'Failed')],
      steps: [{ name: 'build', container: 'step-build', terminated: ended(time, exitCode) }],
    },
  })
}

export const ended = (time: string, exitCode: number) => ({
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
  startedAt: time,
  finishedAt: time,
})

/** Search text for logs, which is in every hundredth line. Without its last letter it matches many more lines. */
export const needle = 'needle'
export const needleEvery = 100

export const logLine = (index: number): string => {
  const word = index % needleEvery === 0 ? needle : index % 7 === 0 ? 'needling' : 'thread'
  return `[${String(index).padStart(6, '0')}] compiling module ${index % 997} of ${word}: ${'.'.repeat(40)} done in ${index % 313} ms`
}
