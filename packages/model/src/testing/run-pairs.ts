import { tektonRelease } from '../comparison/run-facts'
import { annotations, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import type { TaskRun } from '../runs/task-run'
import type { PipelineTask } from '../runs/tekton'
import { aPipelineRun, aTaskRun, condition } from '../testing'
import { randomNumbers } from './random-numbers'

/** Pairs of a run that has succeeded and one that has failed, for what compares them. */

interface TestedRun {
  run: PipelineRun
  taskRuns: TaskRun[]
}

export interface RunPair {
  green: TestedRun
  red: TestedRun
  /** Name of the task that has failed. */
  failed: string
}

export interface RunPairOptions {
  taskCount?: number
  /** Whether the failed run is of another commit than the other one. */
  hasOtherCommit?: boolean
}

const startMs = Date.parse('2026-01-31T09:00:00Z')
const timeAfter = (ms: number) => new Date(startMs + ms).toISOString().replace(/\.\d+/, '')

/** Names, times, digests and durations differ in every pair, as in two runs of which nothing was changed. */
export function aRunPair(seed: number, { taskCount = 8, hasOtherCommit = false }: RunPairOptions = {}): RunPair {
  const random = randomNumbers(seed)
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low))
  const tasks = Array.from({ length: taskCount }, (_, index): PipelineTask => {
    const runAfter = index > 0 ? [`task-${between(Math.max(0, index - 3), index)}`] : []
    return {
      name: `task-${index}`,
      runAfter,
      taskRef: {
        resolver: 'bundles',
        params: [
          { name: 'bundle', value: `registry.test/task-${index}:0.1@sha256:${hex(64)}` },
          { name: 'kind', value: 'task' },
        ],
      },
      params: [{ name: 'MODE', value: `mode-${index}` }],
    }
  })
  const commit = hex(40)
  const durations = tasks.map(() => between(20, 400) * 1_000)
  const failedIndex = between(Math.floor(taskCount / 2), taskCount)
  const create = (name: string, sha: string, failedAt: number): TestedRun => {
    const uid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`
    const ended = { completionTime: timeAfter(between(1_000, 2_000) * 1_000), startTime: timeAfter(0) }
    const run = aPipelineRun({
      metadata: { name, uid, labels: { [labels.commitSha]: sha }, annotations: { [annotations.branch]: 'main' } },
      spec: {
        pipelineSpec: undefined,
        pipelineRef: { name: 'docker-build' },
        params: [
          { name: 'revision', value: sha },
          { name: 'output-image', value: `registry.test/image:${sha}` },
          { name: 'hermetic', value: 'false' },
        ],
      },
      status: {
        ...ended,
        pipelineSpec: { tasks: structuredClone(tasks) },
        conditions: [condition('Succeeded', failedAt < taskCount ? 'False' : 'True')],
      },
    })
    const taskRuns = tasks.slice(0, failedAt + 1).map(({ name: task }, index) => {
      const durationMs = (durations[index] ?? 0) * (0.85 + random() * 0.3)
      return aTaskRun({
        metadata: {
          name: `${name}-${task}`,
          annotations: { [tektonRelease]: 'v1.6.0' },
          labels: { [labels.pipelineRun]: name, [labels.pipelineTask]: task },
        },
        status: {
          startTime: timeAfter(0),
          completionTime: timeAfter(durationMs),
          conditions: [condition('Succeeded', index === failedAt ? 'False' : 'True')],
          steps: [{ name: 'work', imageID: `registry.test/tool@sha256:${'d'.repeat(64)}` }],
          results: [
            { name: 'IMAGE_DIGEST', value: `sha256:${hex(64)}` },
            { name: 'BASE_IMAGES_DIGESTS', value: `registry.test/base:9@sha256:${'b'.repeat(64)}\n` },
          ],
        },
      })
    })
    return { run, taskRuns }
  }
  return {
    green: create(`build-${hex(5)}`, commit, taskCount),
    red: create(`build-${hex(5)}`, hasOtherCommit ? hex(40) : commit, failedIndex),
    failed: `task-${failedIndex}`,
  }
}
