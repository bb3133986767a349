import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { PipelineSpec, PipelineTask, TaskSpec } from '@slipway/model/runs/tekton'
import { aPipelineRun } from '@slipway/model/testing'
import { outcomeAnnotation } from '../src/tekton/outcome'
import { aTask, runName } from './runs'

/**
 * Runs that Tekton's webhook refuses to create, and what becomes of them in the simulator, which has no webhook.
 * `docs/simulating.md` sums up the difference.
 */
export interface Refusal {
  spec: Partial<PipelineRun['spec']>
  /** What the webhook says, after `denied the request`. */
  refused: string
  /** The reason with which the simulator ends the run. */
  simulated: string
  /** The reason that Tekton's controller reports where there is no webhook, if it is another. */
  controller?: string
}

export function refusedRun({ spec }: Refusal): PipelineRun {
  const annotations = { [outcomeAnnotation]: '{"*":"success"}' }
  const run = aPipelineRun({ metadata: { name: runName, annotations } })
  return { ...run, spec: { taskRunTemplate: run.spec.taskRunTemplate, ...spec } }
}

const pipeline = (pipelineSpec: object) => ({ pipelineSpec: pipelineSpec as PipelineSpec })
/** Whatever users can write. */
const tasks = (...list: object[]) => pipeline({ tasks: list as PipelineTask[] })
const step = { name: 'main', image: 'registry.slipway.test/tools:1', script: 'run' }
const withSpec = (taskSpec: object): PipelineTask => ({ name: 'a', taskSpec: taskSpec as TaskSpec })
const one = aTask('a')

export const refusals: Record<string, Refusal> = {
  'neither a pipeline nor a reference to one': {
    spec: {},
    refused: 'validation failed: expected exactly one, got neither: spec.pipelineRef, spec.pipelineSpec',
    simulated: 'CouldntGetPipeline',
  },
  'a pipeline and a reference to one': {
    spec: { pipelineRef: { name: 'build' }, ...tasks(one) },
    refused: 'validation failed: expected exactly one, got both: spec.pipelineRef, spec.pipelineSpec',
    simulated: 'Succeeded',
  },
  'a pipeline without tasks': {
    spec: tasks(),
    refused:
      'validation failed: expected at least one, got none: spec.pipelineSpec.description, spec.pipelineSpec.params, spec.pipelineSpec.resources, spec.pipelineSpec.tasks, spec.pipelineSpec.workspaces',
    simulated: 'PipelineValidationFailed',
  },
  'a cycle': {
    spec: tasks(aTask('a', { runAfter: ['b'] }), aTask('b', { runAfter: ['a'] })),
    refused: 'validation failed: invalid value: cycle detected; task "a" depends on "b": spec.pipelineSpec.tasks',
    simulated: 'PipelineInvalidGraph',
  },
  'a task after one that does not exist': {
    spec: tasks(aTask('a', { runAfter: ['nope'] })),
    refused:
      "validation failed: invalid value: couldn't add link between a and nope: task a depends on nope but nope wasn't present in Pipeline: spec.pipelineSpec.tasks",
    simulated: 'PipelineInvalidGraph',
  },
  'a result of a task that does not exist': {
    spec: tasks(aTask('a', { params: [{ name: 'x', value: '$(tasks.nope.results.y)' }] })),
    refused:
      "validation failed: invalid value: couldn't add link between a and nope: task a depends on nope but nope wasn't present in Pipeline: spec.pipelineSpec.tasks",
    simulated: 'PipelineInvalidGraph',
  },
  'two tasks of one name': {
    spec: tasks(one, one),
    refused: `validation failed: expected exactly one, got both: spec.pipelineSpec.tasks[1].name\ninvalid value: task a is already present in Graph, can't add it again: duplicate pipeline task: spec.pipelineSpec.tasks`,
    simulated: 'PipelineInvalidGraph',
  },
  'a task without a definition': {
    spec: tasks({ name: 'a' }),
    refused:
      'validation failed: expected exactly one, got neither: spec.pipelineSpec.tasks[0].taskRef, spec.pipelineSpec.tasks[0].taskSpec',
    simulated: 'PipelineValidationFailed',
  },
  'a task with two definitions': {
    spec: tasks({ ...one, taskRef: { name: 'b' } }),
    refused:
      'validation failed: expected exactly one, got multiple: spec.pipelineSpec.tasks[0].taskRef, spec.pipelineSpec.tasks[0].taskSpec',
    simulated: 'PipelineValidationFailed',
  },
  'a name of a task that is not a label': {
    spec: tasks(aTask('Not_A_Label')),
    refused: `validation failed: invalid value "Not_A_Label": spec.pipelineSpec.tasks[0].name\nPipeline Task name must be a valid DNS Label.For more info refer to https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names`,
    simulated: 'PipelineValidationFailed',
  },
  'a task without steps': {
    spec: tasks(withSpec({ steps: [] })),
    refused: 'validation failed: missing field(s): spec.pipelineSpec.tasks[0].taskSpec.steps',
    simulated: 'Failed',
    controller: 'PipelineValidationFailed',
  },
  'a step without an image': {
    spec: tasks(withSpec({ steps: [{ name: 'main', script: 'run' }] })),
    refused: 'validation failed: missing field(s): spec.pipelineSpec.tasks[0].taskSpec.steps[0].Image',
    simulated: 'Succeeded',
  },
  'a step with a script and a command': {
    spec: tasks(withSpec({ steps: [{ ...step, command: ['run'] }] })),
    refused:
      'validation failed: script cannot be used with command: spec.pipelineSpec.tasks[0].taskSpec.steps[0].script',
    simulated: 'Succeeded',
  },
  'two steps of one name': {
    spec: tasks(withSpec({ steps: [step, step] })),
    refused: 'validation failed: expected exactly one, got both: spec.pipelineSpec.tasks[0].taskSpec.steps[1].name',
    simulated: 'PipelineValidationFailed',
  },
  'an onError of a step that does not exist': {
    spec: tasks(withSpec({ steps: [{ ...step, onError: 'ignore' }] })),
    refused: `validation failed: invalid value: "ignore": spec.pipelineSpec.tasks[0].taskSpec.steps[0].onError\nTask step onError must be either "continue" or "stopAndFail"`,
    simulated: 'Succeeded',
  },
  'a finally task that runs after another': {
    spec: pipeline({ tasks: [one], finally: [aTask('tidy', { runAfter: ['a'] })] }),
    refused:
      'validation failed: invalid value: no runAfter allowed under spec.finally, final task tidy has runAfter specified: spec.pipelineSpec.finally[0]',
    simulated: 'Succeeded',
  },
  'a task that runs after a finally task': {
    spec: pipeline({ tasks: [aTask('a', { runAfter: ['tidy'] })], finally: [aTask('tidy')] }),
    refused:
      "validation failed: invalid value: couldn't add link between a and tidy: task a depends on tidy but tidy wasn't present in Pipeline: spec.pipelineSpec.tasks",
    simulated: 'PipelineInvalidGraph',
  },
  'an operator of when that does not exist': {
    spec: tasks(aTask('a', { when: [{ input: 'x', operator: 'equals' as 'in', values: ['x'] }] })),
    refused:
      'validation failed: invalid value: operator "equals" is not recognized. valid operators: in,notin: spec.pipelineSpec.tasks[0].when[0]',
    simulated: 'Completed',
  },
  'a when with both forms': {
    spec: tasks(aTask('a', { when: [{ cel: 'true', input: 'x', operator: 'in', values: ['x'] }] })),
    refused: 'validation failed: cel and input+operator+values cannot be set in one WhenExpression: &{x in [x] true}:',
    simulated: 'Succeeded',
  },
  'a CEL expression with a syntax error': {
    spec: tasks(aTask('a', { when: [{ cel: "'a' ==" }] })),
    refused: `validation failed: invalid cel expression: %s with err: %s: spec.pipelineSpec.tasks[0].when[0].'a' ==, spec.pipelineSpec.tasks[0].when[0].ERROR: <input>:1:7: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | 'a' ==\n | .^`,
    simulated: 'CELEvaluationFailed',
    controller: 'PipelineValidationFailed',
  },
  'a task that ignores errors and is retried': {
    spec: tasks(aTask('a', { onError: 'continue', retries: 1 })),
    refused: 'validation failed: PipelineTask OnError cannot be set to "continue" when Retries is greater than 0:',
    simulated: 'PipelineValidationFailed',
  },
  'a type of a param that does not exist': {
    spec: pipeline({ params: [{ name: 'n', type: 'number', default: '1' }], tasks: [one] }),
    refused:
      'validation failed: invalid value: number: spec.n.type, spec.params.n.type, spec.pipelineSpec.finally.params.n.type, spec.pipelineSpec.tasks.params.n.type',
    simulated: 'Succeeded',
  },
  'a default of another type': {
    spec: pipeline({ params: [{ name: 'n', type: 'array', default: 'text' }], tasks: [one] }),
    refused: `validation failed: "array" type does not match default value's type: "string": spec.n.default.type, spec.n.type, spec.params.n.default.type, spec.params.n.type, spec.pipelineSpec.finally.params.n.default.type, spec.pipelineSpec.finally.params.n.type, spec.pipelineSpec.tasks.params.n.default.type, spec.pipelineSpec.tasks.params.n.type`,
    simulated: 'Succeeded',
  },
  'two params of one name': {
    spec: pipeline({
      params: [
        { name: 'n', default: '1' },
        { name: 'n', default: '2' },
      ],
      tasks: [one],
    }),
    refused:
      'validation failed: parameter appears more than once: spec.pipelineSpec.finally.params[n], spec.pipelineSpec.tasks.params[n]',
    simulated: 'Succeeded',
  },
  'a param given twice': {
    spec: {
      params: [
        { name: 'n', value: '1' },
        { name: 'n', value: '2' },
      ],
      ...tasks(one),
    },
    refused: 'validation failed: expected exactly one, got both: spec.params[n].name',
    simulated: 'Succeeded',
  },
  'a param that is not declared': {
    spec: tasks(aTask('a', { params: [{ name: 'x', value: '$(params.nope)' }] })),
    refused: 'validation failed: non-existent variable in "$(params.nope)": spec[0].params[x]',
    simulated: 'Succeeded',
  },
  'a variable of the run that does not exist': {
    spec: tasks(aTask('a', { params: [{ name: 'x', value: '$(context.pipelineRun.nope)' }] })),
    refused: 'validation failed: non-existent variable in "$(context.pipelineRun.nope)": spec.pipelineSpec.tasks.value',
    simulated: 'Succeeded',
  },
  'a result of the pipeline without a reference': {
    spec: pipeline({ tasks: [one], results: [{ name: 'r', value: 'text' }] }),
    refused: `validation failed: invalid value: expected pipeline results to be task result expressions but an invalid expressions was found: spec.pipelineSpec.results[0].value\ninvalid value: expected pipeline results to be task result expressions but no expressions were found: spec.pipelineSpec.results[0].value\ninvalid value: referencing a nonexistent task: spec.pipelineSpec.results[0].value`,
    simulated: 'Succeeded',
  },
  'a workspace bound twice': {
    spec: {
      workspaces: [
        { name: 'w', emptyDir: {} },
        { name: 'w', emptyDir: {} },
      ],
      ...tasks(one),
    },
    refused:
      'validation failed: workspace "w" provided by pipelinerun more than once, at index 0 and 1: spec.workspaces[1].name',
    simulated: 'Succeeded',
  },
  'a workspace without a volume': {
    spec: { workspaces: [{ name: 'w' }], ...tasks(one) },
    refused:
      'validation failed: expected exactly one, got neither: spec.workspaces[0].configmap, spec.workspaces[0].emptydir, spec.workspaces[0].persistentvolumeclaim, spec.workspaces[0].secret, spec.workspaces[0].volumeclaimtemplate',
    simulated: 'Succeeded',
  },
  'a param in the matrix and beside it': {
    spec: tasks(
      aTask('a', { params: [{ name: 'os', value: 'x' }], matrix: { params: [{ name: 'os', value: ['y'] }] } }),
    ),
    refused:
      'validation failed: expected exactly one, got both: spec.pipelineSpec.tasks[0].matrix[os], spec.pipelineSpec.tasks[0].params[os]',
    simulated: 'Succeeded',
  },
  'a matrix of more than 256': {
    spec: tasks(
      aTask('a', {
        matrix: { params: ['x', 'y'].map((name) => ({ name, value: Array.from({ length: 17 }, (_, at) => `${at}`) })) },
      }),
    ),
    refused: 'validation failed: expected 0 <= 289 <= 256: spec.pipelineSpec.tasks[0].matrix',
    simulated: 'Succeeded',
  },
  'a time limit of the tasks beyond that of the pipeline': {
    spec: { timeouts: { pipeline: '1h', tasks: '2h' }, ...tasks(one) },
    refused: 'validation failed: invalid value: 2h0m0s should be <= pipeline duration: spec.timeouts.tasks',
    simulated: 'Succeeded',
  },
  'time limits that are too long together': {
    spec: { timeouts: { pipeline: '1h', tasks: '40m', finally: '30m' }, ...tasks(one) },
    refused:
      'validation failed: invalid value: 40m0s + 30m0s should be <= pipeline duration: spec.timeouts.finally, spec.timeouts.tasks',
    simulated: 'Succeeded',
  },
  'a negative time limit': {
    spec: { timeouts: { pipeline: '-1h' }, ...tasks(one) },
    refused: 'validation failed: invalid value: -1h0m0s should be >= 0: spec.timeouts.pipeline',
    simulated: 'Succeeded',
  },
  'a time limit that is not a duration': {
    spec: { timeouts: { pipeline: '1 hour' }, ...tasks(one) },
    refused: 'mutation failed: cannot decode incoming new object: time: unknown unit " hour" in duration "1 hour"',
    simulated: 'Succeeded',
  },
  'a status that does not exist': {
    spec: { status: 'Paused' as 'Cancelled', ...tasks(one) },
    refused:
      'validation failed: invalid value: Paused should be Cancelled, CancelledRunFinally, StoppedRunFinally or PipelineRunPending: spec.status',
    simulated: 'Succeeded',
  },
}
