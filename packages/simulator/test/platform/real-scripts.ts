import type { KubeObject } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskType, type Task } from '@slipway/model/runs/task-run'
import type { PipelineTask, Step, TaskSpec } from '@slipway/model/runs/tekton'
import { inventedValue } from '../../src/tekton/catalog/generic-task'
import type { Kind } from '../tekton-kinds'

/**
 * Gives the steps of a kind of run scripts that do what the simulator and the other kubelet only report: they exit with an
 * error, use too much memory, hang, and write the same results.
 */
export function withRealScripts<T extends KubeObject>(object: T, kind: Kind): T {
  const change = (task: PipelineTask): PipelineTask =>
    task.taskSpec ? { ...task, taskSpec: withScripts(task.taskSpec, outcomeOf(task.name, kind)) } : task
  if (object.kind === taskType.kind || 'steps' in ((object as KubeObject as Partial<Task>).spec ?? {})) {
    return { ...object, spec: withScripts((object as KubeObject as Task).spec, undefined) }
  }
  const { spec } = object as KubeObject as PipelineRun
  if (!spec.pipelineSpec) return object
  const { tasks, finally: finals } = spec.pipelineSpec
  const pipelineSpec = {
    ...spec.pipelineSpec,
    tasks: tasks.map(change),
    ...(finals && { finally: finals.map(change) }),
  }
  return { ...object, spec: { ...spec, pipelineSpec } }
}

const outcomeOf = (task: string, { outcomes = {}, requests = [] }: Kind): string | undefined =>
  // A task during which users request something lasts until they have.
  outcomes[task] ?? (task === 'one' && requests.length > 0 ? 'slow' : undefined)

const scripts: Record<string, string> = {
  fail: 'exit 1',
  flaky: '[ $(context.task.retry-count) -gt 0 ] || exit 1',
  oom: 'exec tail /dev/zero',
  timeout: 'sleep 3600',
  slow: 'sleep 15',
}

const endings: Record<string, object> = {
  oom: { computeResources: { limits: { memory: '32Mi' } } },
  'config-error': {
    env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'registry-credentials', key: 'token' } } }],
  },
}

function withScripts(spec: TaskSpec, outcome: string | undefined): TaskSpec {
  const { steps = [], results = [] } = spec
  const writing = results.map((result) => {
    const value = inventedValue(result)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `printf %s '${text}' > $(results.${result.name}.path)`
  })
  const change = (step: Step, index: number): Step => ({
    ...step,
    ...(index === 0 && outcome && endings[outcome]),
    script: [
      `echo output of ${step.name}`,
      ...(index === 0 && outcome ? [scripts[outcome] ?? ':'] : []),
      ...(index === steps.length - 1 ? writing : []),
    ].join('\n'),
  })
  return { ...spec, steps: steps.map(change) }
}
