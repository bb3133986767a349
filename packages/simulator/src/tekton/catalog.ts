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
import { localTaskOf, taskNameOf } from './task-run-for'

/** The pipelines and tasks that resolvers find by name, in any bundle or repository. */

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

/** The name of a pipeline: its own, the one in the bundle, or the name of the file in the repository. */
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

/** The embedded pipeline of a run, or the one that a resolver finds; `undefined` if there is none. */
export function pipelineSpecOf({ metadata, spec }: PipelineRun): PipelineSpec | undefined {
  if (spec.pipelineSpec) return spec.pipelineSpec
  if (!spec.pipelineRef) return undefined
  const name = pipelineNameOf(spec.pipelineRef)
  if (!name) return undefined
  return pipelines.get(name) ?? ownPipelineOf(metadata.labels?.[labels.pipelineType], name)
}

/** Types of runs whose pipelines may come from the users' own repositories. */
const ownPipelines = new Map([
  ['test', unknownTestPipeline],
  ['tenant', unknownReleasePipeline],
  ['managed', unknownReleasePipeline],
  ['final', unknownReleasePipeline],
])

/** A pipeline that is not in the catalog. Only names that contain `missing` are not found. */
const ownPipelineOf = (type: string | undefined, name: string): PipelineSpec | undefined =>
  /\bmissing\b/.test(name) ? undefined : ownPipelines.get(type ?? '')?.(name)

/** The pipeline that a test refers to. */
export function testPipelineOf(ref: DefinitionRef): PipelineSpec | undefined {
  const name = pipelineNameOf(ref)
  return name ? (pipelines.get(name) ?? ownPipelineOf('test', name)) : undefined
}

/** Removes suffixes of variants for trusted artifacts and for other platforms, which do the same. */
const withoutVariant = (name: string): string => name.replace(/(-remote)?(-oci-ta)?$/, '')

/** The definition of a task; for an unknown task, a generic one that runs its steps. */
export function taskDefinitionOf({ spec, status }: TaskRun): TaskDefinition {
  if (spec.taskSpec) return genericTask(spec.taskSpec)
  // A Task of the namespace may have the name of one in the catalog.
  if (status?.taskSpec && localTaskOf(spec) !== undefined) return genericTask(status.taskSpec)
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
