import type { KubeClient } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { pipelineRunType, pipelineType, type ChildReference, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, taskType, type StepState, type TaskRun } from '@slipway/model/runs/task-run'
import {
  succeededCondition,
  type ParamValue,
  type PipelineSpec,
  type PipelineTask,
  type Run,
  type TaskSpec,
  type WhenExpression,
} from '@slipway/model/runs/tekton'
import { aPipelineRun } from '@slipway/model/testing'
import { expect } from 'vitest'
import { outcomeAnnotation } from '../src/tekton/outcome'
import { aTask, counts, runName } from './runs'

/**
 * Kinds of run, and what clients can tell about each at its end. The simulator must report this, and so must the real
 * controller of Tekton Pipelines 1.15 (`tekton.platform.test.ts`). `docs/simulating.md` lists how the two differ.
 */

/** Runs of every kind have the same name, and each is alone in its namespace. */
export const namespace = 'team-payments'

/** What clients can tell about a finished run. */
export interface Facts {
  /** Status, reason and message of its condition. */
  run: string
  /** Its children by task, with their display names and conditions. */
  children?: string[]
  /** Its skipped tasks, why, and with which conditions. */
  skipped?: string[]
  /** The condition of each TaskRun, then its steps, sidecars, results and earlier attempts. */
  tasks?: Record<string, string[]>
  results?: Record<string, ParamValue>
}

export interface Kind {
  pipeline?: PipelineSpec
  spec?: Partial<PipelineRun['spec']>
  outcomes?: Record<string, string>
  objects?: [ResourceType, KubeObject][]
  /** What a user requests, one after another, while the task `one` runs. */
  requests?: NonNullable<PipelineRun['spec']['status']>[]
  /** Whether Tekton's webhook, where there is one, does not let it be created. */
  isRefused?: true
  /** Default: until it has finished. */
  untilReason?: string
  expected: Facts
}

/** The run of a kind, before it is created. */
export const runOf = ({ pipeline, spec, outcomes = {} }: Kind): PipelineRun =>
  aPipelineRun({
    metadata: { name: runName, annotations: { [outcomeAnnotation]: JSON.stringify(outcomes) } },
    spec: { ...spec, pipelineSpec: pipeline },
  })

const whenText = ({ cel, input, operator, values }: WhenExpression) =>
  cel === undefined ? `${input} ${operator} ${values?.join()}` : `cel ${cel}`
const whenTexts = (when: WhenExpression[] | undefined) => (when ? [`when ${when.map(whenText).join('; ')}`] : [])
const conditionText = (run: Run) => {
  const { status = '', reason = '', message = '' } = succeededCondition(run) ?? {}
  return `${status} ${reason} ${message}`.trim()
}
const childText = ({ name, displayName, whenExpressions }: ChildReference) =>
  [
    name.slice(runName.length + 1),
    ...(displayName === undefined ? [] : [JSON.stringify(displayName)]),
    ...whenTexts(whenExpressions),
  ].join(' ')

function containerText({ name, container, waiting, running, terminated, terminationReason }: StepState): string {
  if (waiting) return [name, 'waiting', waiting.reason, waiting.message].filter(Boolean).join(' ')
  if (running) return `${name} running`
  if (!terminated) return container ? name : `${name} without container`
  const { exitCode, reason, message } = terminated
  const ended = `${name} terminated ${exitCode} ${reason}, ${terminationReason ?? 'no termination reason'}`
  return message ? `${ended}, ${message}` : ended
}

const taskTexts = ({ metadata, spec, status }: TaskRun): string[] => [
  conditionText({ metadata, ...(status && { status }) }),
  ...(spec.statusMessage ? [`asked to end: ${spec.statusMessage}`] : []),
  ...(status?.steps ?? []).map(containerText),
  ...(status?.sidecars ?? []).map(
    (sidecar) => `sidecar ${sidecar.container} ${sidecar.terminated ? 'terminated' : '?'}`,
  ),
  ...(status?.results ?? []).map(({ name, type, value }) => `result ${name} (${type}): ${JSON.stringify(value)}`),
  ...(status?.retriesStatus ?? []).map((each) => `attempt ${each?.conditions?.[0]?.reason}`),
  ...(status?.completionTime ? [] : ['no completion time']),
]

/** The facts about the run in a namespace, as if that were `team-payments`. */
export async function factsOf(client: KubeClient, inNamespace: string): Promise<Facts> {
  const options = { namespace: inNamespace }
  const [run, { items }] = await Promise.all([
    client.get(pipelineRunType, runName, options),
    client.list(taskRunType, options),
  ])
  const { childReferences, skippedTasks, results } = run.status ?? {}
  const tasks = Object.fromEntries(
    items.map((item) => [(item.metadata.name ?? '').slice(runName.length + 1), taskTexts(item)]),
  )
  const facts: Facts = {
    run: conditionText(run),
    ...(childReferences && { children: childReferences.map(childText) }),
    ...(skippedTasks && {
      skipped: skippedTasks.map(({ name, reason, whenExpressions }) =>
        [`${name}: ${reason}`, ...whenTexts(whenExpressions)].join(', '),
      ),
    }),
    ...(items.length > 0 && { tasks }),
    ...(results && { results: Object.fromEntries(results.map(({ name, value }) => [name, value])) }),
  }
  return JSON.parse(JSON.stringify(facts).replaceAll(`${inNamespace}/`, `${namespace}/`)) as Facts
}

const step = (name: string, rest: object = {}) => ({
  name,
  image: 'registry.slipway.test/tools:1',
  script: 'run',
  ...rest,
})
const withSteps = (name: string, taskSpec: TaskSpec, rest: Partial<PipelineTask> = {}): PipelineTask => ({
  name,
  taskSpec,
  ...rest,
})
const succeededSteps = (...steps: string[]) => [
  'True Succeeded All Steps have completed executing',
  ...steps.map((name) => `${name} terminated 0 Completed, Completed`),
]
const succeeded = succeededSteps('main')
/** A task of one step with a result, which the step reports in the message of its container. */
const withResult = (
  name: string,
  { step = 'main', type = 'string', value = `value of ${name}` as ParamValue } = {},
) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const [condition = '', ended = ''] = succeededSteps(step)
  return [
    condition,
    `${ended}, ${JSON.stringify([{ key: name, value: text, type: 1 }])}`,
    `result ${name} (${type}): ${JSON.stringify(value)}`,
  ]
}
const failed = ['False StepFailed "step-main" exited with code 1: Error', 'main terminated 1 Error, Error']
const failedOnce = `False Failed ${counts(1, { failed: 1 })}`
const succeededOnce = `True Succeeded ${counts(1)}`
/** A task whose pod Tekton deleted while its step ran. */
const ended = (task: string, reason: string, message: string) => [
  `False ${reason} TaskRun "${runName}-${task}" ${message}`,
  `main terminated 1 ${reason}, ${reason}, Step main terminated as pod ${runName}-${task}-pod is terminated`,
]
const cancelledBy = (task: string, cause: string) => {
  const asked = `TaskRun cancelled as the PipelineRun it belongs to has ${cause}.`
  const [condition = '', ...steps] = ended(task, 'TaskRunCancelled', `was cancelled. ${asked}`)
  return [condition, `asked to end: ${asked}`, ...steps]
}
const cancelled = `False Cancelled PipelineRun "${runName}" was cancelled`
const hanging = { one: 'timeout' }
const oneTwoTidy: PipelineSpec = {
  tasks: [aTask('one'), aTask('two', { runAfter: ['one'] })],
  finally: [aTask('tidy')],
}
const hello: TaskSpec = {
  params: [{ name: 'who', type: 'string', default: 'world' }],
  results: [{ name: 'greeting', type: 'string' }],
  steps: [step('say')],
}
const inNamespace = (name: string) => ({ metadata: { name, namespace } })
const userError = '[User error] '
const cannotRun = `Pipeline ${namespace}/${runName} can't be Run;`

export const kinds: Record<string, Kind> = {
  'a failed step': {
    pipeline: { tasks: [withSteps('a', { steps: [step('one'), step('two')] })] },
    outcomes: { a: 'fail' },
    expected: {
      run: failedOnce,
      children: ['a'],
      tasks: {
        a: [
          'False StepFailed "step-one" exited with code 1: Error',
          'one terminated 1 Error, Error',
          'two terminated 1 Error, Skipped',
        ],
      },
    },
  },
  'a step that runs out of memory': {
    pipeline: { tasks: [aTask('a')] },
    outcomes: { a: 'oom' },
    expected: {
      run: failedOnce,
      children: ['a'],
      tasks: {
        a: [
          'False StepOOM "step-main" exited with code 137: OOMKilled',
          'main terminated 137 OOMKilled, no termination reason',
        ],
      },
    },
  },
  'a step whose error is ignored': {
    pipeline: { tasks: [withSteps('a', { steps: [step('soft', { onError: 'continue' }), step('after')] })] },
    outcomes: { a: 'fail' },
    expected: {
      run: succeededOnce,
      children: ['a'],
      tasks: {
        a: [
          'True Succeeded All Steps have completed executing',
          'soft terminated 1 Completed, Continued',
          'after terminated 0 Completed, Completed',
        ],
      },
    },
  },
  'a task whose failure is ignored': {
    pipeline: { tasks: [aTask('a', { onError: 'continue' }), aTask('b', { runAfter: ['a'] })] },
    outcomes: { a: 'fail' },
    expected: {
      run: 'True Succeeded Tasks Completed: 2 (Failed: 1 (Ignored: 1), Cancelled 0), Skipped: 0',
      children: ['a', 'b'],
      tasks: {
        a: ['False FailureIgnored "step-main" exited with code 1: Error', 'main terminated 1 Error, Error'],
        b: succeeded,
      },
    },
  },
  'a retry that succeeds': {
    pipeline: { tasks: [aTask('a', { retries: 2 })] },
    outcomes: { a: 'flaky' },
    expected: { run: succeededOnce, children: ['a'], tasks: { a: [...succeeded, 'attempt StepFailed'] } },
  },
  'retries that are used up': {
    pipeline: { tasks: [aTask('a', { retries: 2 })] },
    outcomes: { a: 'fail' },
    expected: {
      run: failedOnce,
      children: ['a'],
      tasks: { a: [...failed, 'attempt StepFailed', 'attempt StepFailed'] },
    },
  },
  'a matrix of arrays and an include': {
    pipeline: {
      tasks: [
        aTask('combo', {
          displayName: 'Combo',
          matrix: {
            params: [
              { name: 'os', value: ['linux', 'mac'] },
              { name: 'py', value: ['3.11', '3.12'] },
            ],
            include: [{ name: 'special', params: [{ name: 'os', value: 'bsd' }] }],
          },
        }),
      ],
    },
    expected: {
      run: succeededOnce,
      children: ['combo-0 "Combo"', 'combo-1 "Combo"', 'combo-2 "Combo"', 'combo-3 "Combo"', 'combo-4 "special"'],
      tasks: Object.fromEntries([0, 1, 2, 3, 4].map((index) => [`combo-${index}`, succeeded])),
    },
  },
  'a matrix of includes only': {
    pipeline: {
      tasks: [
        aTask('build', {
          matrix: {
            include: [
              { name: 'for $(params.os)', params: [{ name: 'os', value: 'linux' }] },
              { params: [{ name: 'os', value: 'mac' }] },
            ],
          },
        }),
      ],
    },
    expected: {
      run: succeededOnce,
      children: ['build-0 "for linux"', 'build-1'],
      tasks: { 'build-0': succeeded, 'build-1': succeeded },
    },
  },
  'a matrix of an array result': {
    pipeline: {
      tasks: [
        withSteps('platforms', { results: [{ name: 'list', type: 'array' }], steps: [step('main')] }),
        aTask('build', { matrix: { params: [{ name: 'PLATFORM', value: '$(tasks.platforms.results.list[*])' }] } }),
      ],
    },
    expected: {
      run: `True Succeeded ${counts(2)}`,
      children: ['platforms', 'build-0', 'build-1'],
      tasks: {
        platforms: withResult('list', { type: 'array', value: ['value 1 of list', 'value 2 of list'] }),
        'build-0': succeeded,
        'build-1': succeeded,
      },
    },
  },
  'a matrix of an empty array': {
    pipeline: {
      tasks: [aTask('a'), aTask('build', { matrix: { params: [{ name: 'PLATFORM', value: [] }] } })],
    },
    expected: {
      run: `True Completed ${counts(1, { skipped: 1 })}`,
      children: ['a'],
      skipped: ['build: Matrix Parameters have an empty array'],
      tasks: { a: succeeded },
    },
  },
  'when with choices': {
    spec: { params: [{ name: 'skip', value: 'true' }] },
    pipeline: {
      params: [{ name: 'skip', type: 'string' }],
      tasks: [
        aTask('first', {}, ['go']),
        aTask('skipped', { when: [{ input: '$(params.skip)', operator: 'in', values: ['false'] }] }, ['x']),
        aTask('needs-skipped', { params: [{ name: 'x', value: '$(tasks.skipped.results.x)' }] }),
        aTask('after-skipped', { runAfter: ['skipped'] }),
        aTask('met', { when: [{ input: '$(tasks.first.results.go)', operator: 'in', values: ['value of go'] }] }),
      ],
      finally: [aTask('fin-skipped', { when: [{ input: '$(tasks.status)', operator: 'in', values: ['Failed'] }] })],
    },
    expected: {
      run: `True Completed ${counts(3, { skipped: 3 })}`,
      children: ['first', 'after-skipped', 'met when value of go in value of go'],
      skipped: [
        'skipped: When Expressions evaluated to false, when true in false',
        'needs-skipped: Results were missing',
        'fin-skipped: When Expressions evaluated to false, when Completed in Failed',
      ],
      tasks: { first: withResult('go'), 'after-skipped': succeeded, met: succeeded },
    },
  },
  'when with CEL': {
    pipeline: {
      tasks: [
        aTask('first', {}, ['go']),
        aTask('unmet', { when: [{ cel: "'$(tasks.first.results.go)' == 'no'" }] }),
        aTask('met', { when: [{ cel: "'$(tasks.first.results.go)'.startsWith('value')" }] }),
      ],
    },
    expected: {
      run: `True Completed ${counts(2, { skipped: 1 })}`,
      children: ['first', "met when cel 'value of go'.startsWith('value')"],
      skipped: ["unmet: When Expressions evaluated to false, when cel 'value of go' == 'no'"],
      tasks: { first: withResult('go'), met: succeeded },
    },
  },
  'finally after a failure': {
    pipeline: oneTwoTidy,
    outcomes: { one: 'fail' },
    expected: {
      run: `False Failed ${counts(2, { failed: 1, skipped: 1 })}`,
      children: ['one', 'tidy'],
      skipped: ['two: PipelineRun was stopping'],
      tasks: { one: failed, tidy: succeeded },
    },
  },
  'results of a pipeline': {
    pipeline: {
      tasks: [aTask('a', {}, ['url']), aTask('b', { params: [{ name: 'at', value: '$(tasks.a.results.url)' }] })],
      results: [{ name: 'where', value: '$(tasks.a.results.url) of a' }],
    },
    expected: {
      run: `True Succeeded ${counts(2)}`,
      children: ['a', 'b'],
      tasks: { a: withResult('url'), b: succeeded },
      results: { where: 'value of url of a' },
    },
  },
  'a sidecar': {
    pipeline: {
      tasks: [
        withSteps('a', { steps: [step('main')], sidecars: [{ name: 'db', image: 'registry.slipway.test/db:1' }] }),
      ],
    },
    expected: {
      run: succeededOnce,
      children: ['a'],
      tasks: { a: [...succeeded, 'sidecar sidecar-db terminated'] },
    },
  },
  'a custom task without a controller': {
    pipeline: {
      tasks: [
        { name: 'approve', taskRef: { apiVersion: 'approvals.example.test/v1', kind: 'Approval', name: 'x' } },
        aTask('two', { runAfter: ['approve'] }),
      ],
    },
    spec: { timeouts: { pipeline: '1m30s' } },
    expected: {
      run: `False PipelineRunTimeout PipelineRun "${runName}" failed to finish within "1m30s"`,
      children: ['approve'],
    },
  },
  'references to a pipeline and a task': {
    objects: [
      [taskType, { ...inNamespace('hello'), spec: hello } as KubeObject],
      [
        pipelineType,
        {
          ...inNamespace('by-reference'),
          spec: {
            tasks: [{ name: 'greet', taskRef: { kind: 'Task', name: 'hello' } }],
            results: [{ name: 'said', value: '$(tasks.greet.results.greeting)' }],
          },
        } as KubeObject,
      ],
    ],
    spec: { pipelineRef: { name: 'by-reference' } },
    expected: {
      run: succeededOnce,
      children: ['greet'],
      tasks: { greet: withResult('greeting', { step: 'say' }) },
      results: { said: 'value of greeting' },
    },
  },
  'a time-out of a task': {
    pipeline: { tasks: [aTask('one', { timeout: '90s' })] },
    outcomes: hanging,
    expected: {
      run: failedOnce,
      children: ['one'],
      tasks: { one: ended('one', 'TaskRunTimeout', 'failed to finish within "1m30s"') },
    },
  },
  'a time-out of the tasks': {
    pipeline: oneTwoTidy,
    spec: { timeouts: { pipeline: '10m', tasks: '1m' } },
    outcomes: hanging,
    expected: {
      run: `False PipelineRunTimeout PipelineRun "${runName}" failed due to tasks failed to finish within "1m0s"`,
      children: ['one', 'tidy'],
      skipped: ['two: PipelineRun was stopping'],
      tasks: { one: cancelledBy('one', 'timed out'), tidy: succeeded },
    },
  },
  'a time-out of the tasks, while finally runs': {
    pipeline: oneTwoTidy,
    spec: { timeouts: { pipeline: '2h', tasks: '1m' } },
    outcomes: { one: 'timeout', tidy: 'timeout' },
    untilReason: 'PipelineRunTimeoutRunningFinally',
    expected: {
      run: `Unknown PipelineRunTimeoutRunningFinally ${counts(1, { failed: 1, incomplete: 1, skipped: 1 })}`,
      children: ['one', 'tidy'],
      skipped: ['two: PipelineRun was stopping'],
      tasks: { one: cancelledBy('one', 'timed out'), tidy: expect.arrayContaining(['no completion time']) as string[] },
    },
  },
  'a time-out of the pipeline': {
    pipeline: oneTwoTidy,
    spec: { timeouts: { pipeline: '90s' } },
    outcomes: hanging,
    expected: {
      run: `False PipelineRunTimeout PipelineRun "${runName}" failed to finish within "1m30s"`,
      children: ['one'],
      tasks: { one: cancelledBy('one', 'timed out') },
    },
  },
  'a time-out of finally': {
    pipeline: { tasks: [aTask('a')], finally: [aTask('tidy')] },
    spec: { timeouts: { pipeline: '1h', finally: '1m' } },
    outcomes: { tidy: 'timeout' },
    expected: {
      run: `False Failed ${counts(2, { failed: 1 })}`,
      children: ['a', 'tidy'],
      tasks: { a: succeeded, tidy: cancelledBy('tidy', 'timed out') },
    },
  },
  cancel: {
    pipeline: oneTwoTidy,
    outcomes: hanging,
    requests: ['Cancelled'],
    expected: { run: cancelled, children: ['one'], tasks: { one: cancelledBy('one', 'been cancelled') } },
  },
  'cancel, and run finally': {
    pipeline: oneTwoTidy,
    outcomes: hanging,
    requests: ['CancelledRunFinally'],
    expected: {
      run: cancelled,
      children: ['one', 'tidy'],
      skipped: ['two: PipelineRun was stopping'],
      tasks: { one: cancelledBy('one', 'been cancelled'), tidy: succeeded },
    },
  },
  stop: {
    pipeline: oneTwoTidy,
    requests: ['StoppedRunFinally'],
    expected: {
      run: cancelled,
      children: ['one', 'tidy'],
      skipped: ['two: PipelineRun was gracefully stopped'],
      tasks: { one: succeeded, tidy: succeeded },
    },
  },
  'stop, then cancel': {
    pipeline: oneTwoTidy,
    outcomes: hanging,
    requests: ['StoppedRunFinally', 'CancelledRunFinally'],
    expected: {
      run: cancelled,
      children: ['one', 'tidy'],
      skipped: ['two: PipelineRun was stopping'],
      tasks: { one: cancelledBy('one', 'been cancelled'), tidy: succeeded },
    },
  },
  pending: {
    pipeline: oneTwoTidy,
    spec: { status: 'PipelineRunPending' },
    untilReason: 'PipelineRunPending',
    expected: { run: `Unknown PipelineRunPending PipelineRun "${runName}" is pending` },
  },
  'a missing secret': {
    pipeline: { tasks: [aTask('a')] },
    outcomes: { a: 'config-error' },
    expected: {
      run: failedOnce,
      children: ['a'],
      tasks: {
        a: [
          'False CreateContainerConfigError Failed to create pod due to config error',
          'main waiting CreateContainerConfigError secret "registry-credentials" not found',
          'no completion time',
        ],
      },
    },
  },
  'an image that cannot be pulled': {
    pipeline: { tasks: [aTask('a')] },
    outcomes: { a: 'image-pull' },
    expected: {
      run: failedOnce,
      children: ['a'],
      tasks: {
        a: [
          `False TaskRunImagePullFailed the step "main" in TaskRun "${runName}-a" failed to pull the image "". The pod ` +
            'errored with the message: "Back-off pulling image "registry.slipway.test/tools/a:1"."',
          'main terminated 1 TaskRunImagePullFailed, TaskRunImagePullFailed, ' +
            `Step main terminated as pod ${runName}-a-pod is terminated`,
        ],
      },
    },
  },
  'no account': {
    pipeline: { tasks: [aTask('a')] },
    spec: { taskRunTemplate: { serviceAccountName: 'nobody' } },
    expected: {
      run: failedOnce,
      children: ['a'],
      tasks: {
        a: [
          `False PodCreationFailed failed to create task run pod "${runName}-a": translating TaskSpec to Pod: ` +
            'serviceaccounts "nobody" not found. Maybe invalid TaskSpec',
          'main without container',
        ],
      },
    },
  },
  'no task': {
    pipeline: { tasks: [{ name: 'a', taskRef: { kind: 'Task', name: 'nope' } }] },
    expected: {
      run:
        `False CouldntGetTask ${cannotRun} it contains Tasks that don't exist: ` +
        `Couldn't retrieve Task "nope": tasks.tekton.dev "nope" not found`,
    },
  },
  'no pipeline': {
    spec: { pipelineRef: { name: 'nope' } },
    expected: {
      run:
        `False CouldntGetPipeline Error retrieving pipeline for pipelinerun ${namespace}/${runName}: error when ` +
        `getting Pipeline for PipelineRun ${runName}: tekton client cannot get pipeline nope from local cluster: ` +
        'pipelines.tekton.dev "nope" not found',
    },
  },
  'missing params': {
    pipeline: { tasks: [aTask('a')], params: [{ name: 'url' }, { name: 'sha' }] },
    expected: {
      run:
        `False ParameterMissing ${userError}PipelineRun ${namespace}/${runName} is missing some parameters required ` +
        `by Pipeline ${namespace}/${runName}: pipelineRun missing parameters: [url sha]`,
    },
  },
  'a pipeline without tasks': {
    isRefused: true,
    pipeline: { tasks: [] },
    expected: {
      run:
        `False PipelineValidationFailed ${userError}${cannotRun} it has an invalid spec: ` +
        'expected at least one, got none: description, params, resources, tasks, workspaces',
    },
  },
  'a task without a definition': {
    isRefused: true,
    pipeline: { tasks: [{ name: 'a' }] },
    expected: {
      run:
        `False PipelineValidationFailed ${userError}${cannotRun} it has an invalid spec: ` +
        'expected exactly one, got neither: tasks[0].taskRef, tasks[0].taskSpec',
    },
  },
  'a name of a task that is not a label': {
    isRefused: true,
    pipeline: { tasks: [aTask('Not_A_Label')] },
    expected: {
      run:
        `False PipelineValidationFailed ${userError}${cannotRun} it has an invalid spec: ` +
        'invalid value "Not_A_Label": tasks[0].name\nPipeline Task name must be a valid DNS Label.For more info ' +
        'refer to https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names',
    },
  },
  'two steps of one name': {
    isRefused: true,
    pipeline: { tasks: [withSteps('a', { steps: [step('main'), step('main')] })] },
    expected: {
      run:
        `False PipelineValidationFailed ${userError}${cannotRun} it has an invalid spec: ` +
        'expected exactly one, got both: tasks[0].taskSpec.steps[1].name',
    },
  },
  'a cycle': {
    isRefused: true,
    pipeline: { tasks: [aTask('z'), aTask('a', { runAfter: ['b'] }), aTask('b', { runAfter: ['a'] })] },
    expected: {
      run:
        `False PipelineInvalidGraph ${userError}PipelineRun ${namespace}/${runName}'s Pipeline DAG is invalid: ` +
        'cycle detected; task "a" depends on "b"',
    },
  },
  'a workspace that is not bound': {
    pipeline: { tasks: [aTask('a')], workspaces: [{ name: 'source' }, { name: 'cache', optional: true }] },
    expected: {
      run:
        `False InvalidWorkspaceBindings ${userError}PipelineRun ${namespace}/${runName} doesn't bind Pipeline ` +
        `${namespace}/${runName}'s Workspaces correctly: pipeline requires workspace with name "source" be provided ` +
        'by pipelinerun',
    },
  },
  'a workspace that is bound': {
    pipeline: {
      tasks: [aTask('a', { workspaces: [{ name: 'files', workspace: 'source' }] })],
      workspaces: [{ name: 'source' }],
    },
    spec: { workspaces: [{ name: 'source', emptyDir: {} }] },
    expected: { run: succeededOnce, children: ['a'], tasks: { a: succeeded } },
  },
  'display names': {
    pipeline: {
      displayName: 'Nice pipeline',
      params: [{ name: 'v' }],
      tasks: [aTask('raw-name', { displayName: 'Release $(params.v) now' })],
    },
    spec: { params: [{ name: 'v', value: '7' }] },
    expected: { run: succeededOnce, children: ['raw-name "Release 7 now"'], tasks: { 'raw-name': succeeded } },
  },
  'a CEL expression that is not boolean': {
    pipeline: { tasks: [aTask('a', { when: [{ cel: "'yes'" }] })] },
    expected: {
      run:
        `False CELEvaluationFailed ${userError}Error evaluating CEL ${runName}: ` +
        "The CEL expression 'yes' is not evaluated to a boolean",
    },
  },
}
