import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import type { DefinitionRef, PipelineSpec, TaskSpec } from '@slipway/model/runs/tekton'
import { buildPipelines } from './catalog/build-pipelines'
import { taskSpecFrom, type TaskDefinition } from './catalog/definition'
import { genericTask } from './catalog/generic-task'
import { imageTasks } from './catalog/image-tasks'
import { policyTasks } from './catalog/policy-tasks'
import { releasePipelines, unknownReleasePipeline } from './catalog/release-pipelines'
import { releaseTasks } from './catalog/release-tasks'
import { scanTasks } from './catalog/scan-tasks'
import { sourceTasks } from './catalog/source-tasks'
import { summaryTasks } from './catalog/summary-tasks'
import { testPipelines, unknownTestPipeline } from './catalog/test-pipelines'
import { testTasks } from './catalog/test-tasks'
import { taskNameOf } from './task-run-for'

/** The pipelines and tasks that resolvers find, whatever bundle or repository they are asked for. */

const pipelines = new Map(Object.entries({ ...buildPipelines, ...testPipelines, ...releasePipelines }))

const tasks = new Map<string, TaskDefinition>(
  Object.entries({
    ...sourceTasks,
    ...imageTasks,
    ...scanTasks,
    ...testTasks,
    ...policyTasks,
    ...releaseTasks,
    ...summaryTasks,
  }),
)

export const pipelineNames: readonly string[] = [...pipelines.keys()]

/** By name, by what a bundle is asked for, or by the file that a repository is asked for. */
export function pipelineNameOf({ name, params = [] }: DefinitionRef): string | undefined {
  const param = (key: string) => {
    const value = params.find((each) => each.name === key)?.value
    return typeof value === 'string' ? value : undefined
  }
  const file = param('pathInRepo')
    ?.split('/')
    .pop()
    ?.replace(/\.ya?ml$/, '')
  return name ?? file ?? param('name')
}

/** What the run says itself, or what a resolver finds; `undefined` when it finds nothing. */
export function pipelineSpecOf({ metadata, spec }: PipelineRun): PipelineSpec | undefined {
  if (spec.pipelineSpec) return spec.pipelineSpec
  if (!spec.pipelineRef) return undefined
  const name = pipelineNameOf(spec.pipelineRef)
  if (!name) return undefined
  return pipelines.get(name) ?? ownPipelineOf(metadata.labels?.[labels.pipelineType], name)
}

/** Types of the runs whose pipelines people keep in repositories of their own. */
const ownPipelines = new Map([
  ['test', unknownTestPipeline],
  ['tenant', unknownReleasePipeline],
  ['managed', unknownReleasePipeline],
  ['final', unknownReleasePipeline],
])

/** A pipeline that no catalog has; only what is called `missing` is not found. */
const ownPipelineOf = (type: string | undefined, name: string): PipelineSpec | undefined =>
  /\bmissing\b/.test(name) ? undefined : ownPipelines.get(type ?? '')?.(name)

/** The pipeline that a test refers to. */
export function testPipelineOf(ref: DefinitionRef): PipelineSpec | undefined {
  const name = pipelineNameOf(ref)
  return name ? (pipelines.get(name) ?? ownPipelineOf('test', name)) : undefined
}

/** Variants of a task for trusted artifacts and for other platforms do the same. */
const withoutVariant = (name: string): string => name.replace(/(-remote)?(-oci-ta)?$/, '')

/** Of a task that nobody knows, one that does what its steps say. */
export function taskDefinitionOf({ spec, status }: TaskRun): TaskDefinition {
  if (spec.taskSpec) return genericTask(spec.taskSpec)
  const name = taskNameOf(spec)
  const known = name === undefined ? undefined : (tasks.get(name) ?? tasks.get(withoutVariant(name)))
  return known ?? genericTask(status?.taskSpec ?? { steps: [unknownStep(name ?? 'task')] })
}

const unknownStep = (name: string) => ({
  name: 'run',
  image: 'registry.slipway.test/catalog/cli:latest',
  script: `echo "Running ${name}"`,
})

export const taskSpecOf = (taskRun: TaskRun): TaskSpec =>
  taskRun.spec.taskSpec ?? taskSpecFrom(taskDefinitionOf(taskRun))
