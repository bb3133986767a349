import { labelErrors } from '@slipway/kube/label-syntax'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { PipelineSpec, PipelineTask } from '@slipway/model/runs/tekton'
import { parentsOf } from './pipeline-nodes'

/** Before the messages about mistakes of users. Source: tektoncd/pipeline, UserErrorLabel. */
export const userError = '[User error] '

/** Why a run fails before it starts: reason and message of its condition. */
export interface DefinitionError {
  reason: string
  message: string
}

/** Validates a pipeline and the params of a run. Source: tektoncd/pipeline, pkg/reconciler/pipelinerun. */
export function pipelineError(run: PipelineRun, spec: PipelineSpec): DefinitionError | undefined {
  const namespace = namespaceOf(run) ?? ''
  const pipeline = run.spec.pipelineRef?.name ?? nameOf(run)
  const graph = graphError(spec)
  if (graph) {
    const message = `${userError}PipelineRun ${namespace}/${nameOf(run)}'s Pipeline DAG is invalid: ${graph}`
    return { reason: 'PipelineInvalidGraph', message }
  }
  const invalid = specError(spec)
  if (invalid) {
    const message = `${userError}Pipeline ${namespace}/${pipeline} can't be Run; it has an invalid spec: ${invalid}`
    return { reason: 'PipelineValidationFailed', message }
  }
  const given = new Set(run.spec.params?.map(({ name }) => name))
  const missing = (spec.params ?? []).filter((param) => param.default === undefined && !given.has(param.name))
  if (missing.length === 0) return workspaceError(run, spec, pipeline)
  const names = missing.map(({ name }) => name).join(' ')
  return {
    reason: 'ParameterMissing',
    message:
      `${userError}PipelineRun ${namespace}/${nameOf(run)} is missing some parameters required by Pipeline ` +
      `${namespace}/${pipeline}: pipelineRun missing parameters: [${names}]`,
  }
}

function workspaceError(run: PipelineRun, spec: PipelineSpec, pipeline: string): DefinitionError | undefined {
  const namespace = namespaceOf(run) ?? ''
  const bound = new Set(run.spec.workspaces?.map(({ name }) => name))
  const missing = spec.workspaces?.find(({ name, optional }) => !optional && !bound.has(name))
  if (!missing) return undefined
  return {
    reason: 'InvalidWorkspaceBindings',
    message:
      `${userError}PipelineRun ${namespace}/${nameOf(run)} doesn't bind Pipeline ${namespace}/${pipeline}'s ` +
      `Workspaces correctly: pipeline requires workspace with name "${missing.name}" be provided by pipelinerun`,
  }
}

const nameHint =
  'Pipeline Task name must be a valid DNS Label.For more info refer to ' +
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names'

function specError({ tasks = [], finally: finals = [] }: PipelineSpec): string | undefined {
  if (tasks.length === 0) return 'expected at least one, got none: description, params, resources, tasks, workspaces'
  const lists: [string, PipelineTask[]][] = [
    ['tasks', tasks],
    ['finally', finals],
  ]
  const names = new Set<string>()
  for (const [list, members] of lists) {
    for (const [index, { name, taskRef, taskSpec, onError, retries = 0 }] of members.entries()) {
      const at = `${list}[${index}]`
      if (labelErrors(name).length > 0) return `invalid value "${name}": ${at}.name\n${nameHint}`
      if (names.has(name)) return `expected exactly one, got both: ${at}.name`
      names.add(name)
      if (taskRef && taskSpec) return `expected exactly one, got multiple: ${at}.taskRef, ${at}.taskSpec`
      if (!taskRef && !taskSpec) return `expected exactly one, got neither: ${at}.taskRef, ${at}.taskSpec`
      const steps = (taskSpec?.steps ?? []).map((step) => step.name)
      const repeated = steps.findIndex((step, position) => step && steps.indexOf(step) < position)
      if (repeated >= 0) return `expected exactly one, got both: ${at}.taskSpec.steps[${repeated}].name`
      // The message ends like this because an error without fields has an empty list of them.
      if (onError === 'continue' && retries > 0) {
        return 'PipelineTask OnError cannot be set to "continue" when Retries is greater than 0: '
      }
    }
  }
  return undefined
}

/** Checks that tasks have names of their own, and depend only on existing tasks and not in a cycle. */
function graphError({ tasks = [] }: PipelineSpec): string | undefined {
  const known = new Set<string>()
  for (const { name } of tasks) {
    if (known.has(name)) {
      return `task ${name} is already present in Graph, can't add it again: duplicate pipeline task`
    }
    known.add(name)
  }
  const settled = new Set<string>()
  const openParents = (task: PipelineTask) =>
    parentsOf(task).filter((parent) => known.has(parent) && !settled.has(parent))
  for (let remaining = tasks; remaining.length > 0;) {
    const next = remaining.filter((task) => openParents(task).length > 0)
    if (next.length === remaining.length) return cycleError(next.map((task) => [task.name, openParents(task)]))
    for (const task of remaining) if (!next.includes(task)) settled.add(task.name)
    remaining = next
  }
  for (const task of tasks) {
    const { name } = task
    const missing = parentsOf(task).find((parent) => !known.has(parent))
    if (!missing) continue
    const what = `task ${name} depends on ${missing} but ${missing} wasn't present in Pipeline`
    return `couldn't add link between ${name} and ${missing}: ${what}`
  }
  return undefined
}

/** @param tasks that depend on each other, with the tasks on which each of them depends */
function cycleError(tasks: [name: string, parents: string[]][]): string {
  const [[name, parents] = ['', []]] = tasks.sort(([a], [b]) => (a < b ? -1 : 1))
  return `cycle detected; task "${name}" depends on ${parents
    .sort()
    .map((parent) => `"${parent}"`)
    .join(', ')}`
}
