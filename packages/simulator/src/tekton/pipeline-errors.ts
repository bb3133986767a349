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
    const message = `PipelineRun ${namespace}/${nameOf(run)}'s Pipeline DAG is invalid: ${graph}`
    return { reason: 'PipelineInvalidGraph', message }
  }
  const invalid = specError(spec)
  if (invalid) {
    const message = `Pipeline ${namespace}/${pipeline} can't be Run; it has an invalid spec: ${invalid}`
    return { reason: 'PipelineValidationFailed', message }
  }
  const given = new Set(run.spec.params?.map(({ name }) => name))
  const missing = (spec.params ?? []).filter((param) => param.default === undefined && !given.has(param.name))
  if (missing.length === 0) return undefined
  const names = missing.map(({ name }) => name).join(' ')
  return {
    reason: 'ParameterMissing',
    message:
      `PipelineRun ${namespace}/${nameOf(run)} is missing some parameters required by Pipeline ` +
      `${namespace}/${pipeline}: pipelineRun missing parameters: [${names}]`,
  }
}

function specError({ tasks = [], finally: finals = [] }: PipelineSpec): string | undefined {
  if (tasks.length === 0) return 'missing field(s): spec.tasks'
  const lists: [string, PipelineTask[]][] = [
    ['tasks', tasks],
    ['finally', finals],
  ]
  const names = new Set<string>()
  for (const [list, members] of lists) {
    for (const [index, { name, taskRef, taskSpec, onError, retries = 0 }] of members.entries()) {
      const at = `spec.${list}[${index}]`
      if (names.has(name)) return `expected exactly one, got both: ${at}.name`
      names.add(name)
      if (!taskRef && !taskSpec) return `expected exactly one, got neither: ${at}.taskRef, ${at}.taskSpec`
      // The message ends like this because an error without fields has an empty list of them.
      if (onError === 'continue' && retries > 0) {
        return 'PipelineTask OnError cannot be set to "continue" when Retries is greater than 0: '
      }
    }
  }
  return undefined
}

/** Checks that tasks depend only on existing tasks, and not in a cycle. */
function graphError({ tasks = [] }: PipelineSpec): string | undefined {
  const known = new Map(tasks.map((task) => [task.name, task]))
  for (const task of tasks) {
    const missing = parentsOf(task).find((parent) => !known.has(parent))
    if (missing) return `task ${task.name} depends on ${missing} but ${missing} wasn't present in Pipeline`
  }
  const settled = new Set<string>()
  for (let remaining = tasks; remaining.length > 0;) {
    const next = remaining.filter((task) => !parentsOf(task).every((parent) => settled.has(parent)))
    if (next.length === remaining.length) {
      const names = remaining.map(({ name }) => `"${name}"`).join(', ')
      return `cycle detected: task ${names}`
    }
    for (const task of remaining) if (!next.includes(task)) settled.add(task.name)
    remaining = next
  }
  return undefined
}
