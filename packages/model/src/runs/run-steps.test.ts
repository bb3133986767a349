import type { Condition } from '@slipway/kube/object'
import { expect, it, test } from 'vitest'
import { failureOf, taskFailureText, type RunFailure } from './run-failure'
import {
  exitCodeOf,
  failedStepOf,
  runSidecars,
  runSteps,
  startFailureOf,
  stepsNeverRun,
  type RunStep,
} from './run-steps'
import type { RunStatusWord } from './run-status'
import { earlierAttemptsOf, type StepState, type TaskRun } from './task-run'
import { aPipelineRun, aTaskRun } from '../testing'
import { labels } from '../labels'

const succeeded = (status: Condition['status'], reason?: string, message?: string) => ({
  type: 'Succeeded',
  status,
  reason,
  message,
})
const terminated = (reason: string, exitCode = reason === 'Completed' ? 0 : 1): Partial<StepState> => ({
  terminated: { exitCode, reason, startedAt: '2026-01-31T09:00:00Z', finishedAt: '2026-01-31T09:01:00Z' },
})

const failedTests = [{ name: 'TEST_OUTPUT', value: '{"result":"FAILURE"}' }]

test.each<[string, Partial<StepState>[], Condition, TaskRun['status'], RunStatusWord[]]>([
  ['STAT-37 waiting', [{ waiting: { reason: 'PodInitializing' } }], succeeded('Unknown', 'Running'), {}, ['Pending']],
  [
    'waiting when its task ended',
    [{ waiting: { reason: 'ImagePullBackOff' } }],
    succeeded('False', 'TaskRunTimeout'),
    {},
    ['Cancelled'],
  ],
  ['STAT-37 not started', [{}], succeeded('Unknown', 'Pending'), {}, ['Pending']],
  ['STAT-38 running', [{ running: {} }], succeeded('Unknown', 'Running'), {}, ['Running']],
  ['STAT-39 completed', [terminated('Completed')], succeeded('True', 'Succeeded'), {}, ['Succeeded']],
  ['STAT-40 failed', [terminated('Error')], succeeded('False', 'Failed'), {}, ['Failed']],
  ['STAT-40 out of memory', [terminated('OOMKilled')], succeeded('False', 'Failed'), {}, ['Failed']],
  [
    'STAT-41 failed tests',
    [terminated('Completed'), terminated('Completed')],
    succeeded('True', 'Succeeded'),
    { results: failedTests },
    ['Succeeded', 'Test Failures'],
  ],
  ['STAT-42 the task has no reason', [terminated('Completed')], succeeded('Unknown'), {}, ['Cancelled']],
  ['after the failed step', [terminated('Error'), {}], succeeded('False', 'Failed'), {}, ['Failed', 'Skipped']],
  [
    'after the failed step, ended as if it had failed too',
    [terminated('Completed'), terminated('Error', 2), terminated('Error'), terminated('Error')],
    succeeded('False', 'Failed'),
    {},
    ['Succeeded', 'Failed', 'Skipped', 'Skipped'],
  ],
  [
    'marked by Tekton as skipped',
    [
      { ...terminated('Error', 2), terminationReason: 'Error' },
      { ...terminated('Error'), terminationReason: 'Skipped' },
    ],
    succeeded('False', 'Failed'),
    {},
    ['Failed', 'Skipped'],
  ],
  [
    'after a step whose error is ignored',
    [{ ...terminated('Error', 2), terminationReason: 'Continued' }, terminated('Completed'), terminated('Error', 3)],
    succeeded('False', 'Failed'),
    {},
    ['Failed', 'Succeeded', 'Failed'],
  ],
  [
    'of a cancelled task',
    [terminated('Completed'), terminated('Error'), terminated('Error')],
    succeeded('False', 'TaskRunCancelled'),
    {},
    ['Succeeded', 'Failed', 'Cancelled'],
  ],
  [
    'marked as skipped in a task that no step ended',
    [terminated('Completed'), { ...terminated('Error'), terminationReason: 'Skipped' }],
    succeeded('False', 'TaskRunTimeout'),
    {},
    ['Succeeded', 'Cancelled'],
  ],
  [
    'failed after a step marked as skipped',
    [{ ...terminated('Error'), terminationReason: 'Skipped' }, terminated('Error', 2)],
    succeeded('False', 'Failed'),
    {},
    ['Cancelled', 'Failed'],
  ],
  ['recorded as running when its task ended', [{ running: {} }], succeeded('False', 'TaskRunTimeout'), {}, ['Unknown']],
])('a step: %s', (_, steps, condition, status, expected) => {
  const run = aTaskRun({
    status: {
      ...status,
      conditions: [condition],
      steps: steps.map((step, index) => ({ name: `step${index}`, ...step })),
    },
  })
  expect(runSteps(run).map(({ status }) => status)).toEqual(expected)
})

const pullMessage =
  'The step "push" in TaskRun "build" failed to pull the image "q/tools". The pod errored with the message: "Back-off pulling image q/tools."'
const pullFailed = succeeded('False', 'TaskRunImagePullFailed', pullMessage)

it('STAT-40 the step whose image could not be pulled has failed, and the others did not run', () => {
  const steps = ['clone', 'push', 'sign'].map((name) => ({ name, ...terminated('TaskRunImagePullFailed') }))
  const run = aTaskRun({ status: { conditions: [pullFailed], steps } })
  expect(runSteps(run)).toEqual([
    { name: 'clone', status: 'Skipped', startTime: undefined, endTime: undefined },
    { name: 'push', status: 'Failed', startTime: undefined, endTime: undefined, note: pullMessage },
    { name: 'sign', status: 'Skipped', startTime: undefined, endTime: undefined },
  ])
  expect(failedStepOf(run)).toBeUndefined()
})

it('names the step whose image could not be pulled in the words of Tekton 1.15 too', () => {
  const steps = ['clone', 'push'].map((name) => ({ name, ...terminated('TaskRunImagePullFailed') }))
  const message = pullMessage.replace('The step', 'the step')
  const run = aTaskRun({ status: { conditions: [{ ...pullFailed, message }], steps } })
  expect(runSteps(run).map(({ status }) => status)).toEqual(['Skipped', 'Failed'])
})

const createdAt = '2026-01-31T08:59:58Z'
const startedAt = '2026-01-31T09:00:00Z'
test.each<[string, string, string, Partial<RunStep>[]]>([
  [
    'a task that was cancelled',
    'TaskRunCancelled',
    'TaskRun "build" was cancelled. ',
    [
      { status: 'Succeeded', startTime: startedAt },
      { status: 'Cancelled', startTime: startedAt },
      { status: 'Cancelled', startTime: undefined },
    ],
  ],
  [
    'a task that was cancelled because its run was out of time',
    'TaskRunCancelled',
    'TaskRun "build" was cancelled. TaskRun cancelled as the PipelineRun it belongs to has timed out.',
    [
      { status: 'Succeeded', startTime: startedAt },
      { status: 'Cancelled', startTime: startedAt, note: 'timed out' },
      { status: 'Cancelled', startTime: undefined },
    ],
  ],
  [
    'a task that was out of time',
    'TaskRunTimeout',
    'TaskRun "build" failed to finish within "1m0s"',
    [
      { status: 'Succeeded', startTime: startedAt },
      { status: 'Failed', startTime: startedAt, note: 'timed out' },
      { status: 'Skipped', startTime: undefined },
    ],
  ],
])('the steps of %s say so, without an exit code', (_, reason, message, expected) => {
  const stopped = (name: string, startedAt: string): StepState => ({
    name,
    terminated: {
      exitCode: 1,
      reason,
      startedAt,
      finishedAt: '2026-01-31T09:01:00Z',
      message: `Step ${name} terminated as pod build-pod is terminated`,
    },
    terminationReason: reason,
  })
  const steps = [{ name: 'clone', ...terminated('Completed') }, stopped('make', startedAt), stopped('push', createdAt)]
  const run = aTaskRun({
    metadata: { creationTimestamp: createdAt },
    status: { conditions: [succeeded('False', reason, message)], steps },
  })
  const shown = runSteps(run)
  expect(shown).toMatchObject(expected)
  expect(shown.map(({ note }) => note)).toEqual(expected.map(({ note }) => note))
  expect(steps.map(exitCodeOf)).toEqual([0, undefined, undefined])
})

it('no step of a task that was out of time before any started is to blame', () => {
  const terminated = { exitCode: 1, reason: 'TaskRunTimeout', startedAt: createdAt, finishedAt: startedAt }
  const steps = ['clone', 'push'].map((name) => ({ name, terminated, terminationReason: 'TaskRunTimeout' }))
  const run = aTaskRun({
    metadata: { creationTimestamp: createdAt },
    status: { conditions: [succeeded('False', 'TaskRunTimeout')], steps },
  })
  expect(runSteps(run).map(({ status }) => status)).toEqual(['Cancelled', 'Cancelled'])
  expect(failedStepOf(run)).toBeUndefined()
})

test.each<[string, StepState['waiting'], string | undefined]>([
  [
    'an image that cannot be pulled',
    { reason: 'ImagePullBackOff', message: 'Back-off pulling image "q/tools"' },
    'ImagePullBackOff: Back-off pulling image "q/tools"',
  ],
  ['a reason without a message', { reason: 'ErrImagePull' }, 'ErrImagePull'],
  ['its turn', { reason: 'PodInitializing' }, undefined],
  ['nothing known', {}, undefined],
])('STAT-37 a pending step says in the words of the kubelet that it waits for %s', (_, waiting, note) => {
  const run = aTaskRun({
    status: { conditions: [succeeded('Unknown', 'Pending')], steps: [{ name: 'clone', waiting }] },
  })
  expect(runSteps(run)[0]).toMatchObject({ status: 'Pending' })
  expect(runSteps(run)[0]?.note).toBe(note)
})

it('a task of Tekton 1.15 whose configuration is wrong says what is wrong with it', () => {
  const config = succeeded('False', 'CreateContainerConfigError', 'Failed to create pod due to config error')
  const waiting = { reason: 'CreateContainerConfigError', message: 'secret "nope" not found' }
  const run = aTaskRun({ status: { conditions: [config], steps: [{ name: 'env', waiting }] } })
  const why = 'Failed to create pod due to config error: secret "nope" not found'
  expect(startFailureOf(run)).toBe(why)
  expect(runSteps(run)).toMatchObject([{ name: 'env', status: 'Failed', note: why }])
})

test.each<[string, Condition, string | undefined]>([
  ['whose image could not be pulled', pullFailed, pullMessage],
  [
    'whose pod has an invalid configuration',
    succeeded('False', 'CreateContainerConfigError', 'Failed to create pod due to config error'),
    'Failed to create pod due to config error',
  ],
  ['with an error in a step', succeeded('False', 'Failed', 'step build exited with 1'), undefined],
  ['that is still waiting', succeeded('Unknown', 'TaskRunImagePullFailed', 'x'), undefined],
])('a task %s: why it could not start', (_, condition, expected) =>
  expect(startFailureOf(aTaskRun({ status: { conditions: [condition] } }))).toBe(expected),
)

it('STAT-43, TASK-17 a step has the name, status, start and end of its state', () => {
  const run = aTaskRun({
    status: {
      conditions: [succeeded('Unknown', 'Running')],
      steps: [
        { name: 'clone', ...terminated('Completed') },
        { name: 'build', running: { startedAt: '2026-01-31T09:01:10Z' } },
      ],
    },
  })
  expect(runSteps(run)).toEqual([
    { name: 'clone', status: 'Succeeded', startTime: '2026-01-31T09:00:00Z', endTime: '2026-01-31T09:01:00Z' },
    { name: 'build', status: 'Running', startTime: '2026-01-31T09:01:10Z', endTime: undefined },
  ])
  expect(runSteps(aTaskRun())).toEqual([])
})

it('a step recorded as running when its task ended has the end of the task', () => {
  const run = aTaskRun({
    status: {
      conditions: [succeeded('False', 'TaskRunTimeout')],
      completionTime: '2026-01-31T09:05:00Z',
      steps: [{ name: 'build', running: { startedAt: '2026-01-31T09:01:10Z' } }],
    },
  })
  expect(runSteps(run)).toMatchObject([{ startTime: '2026-01-31T09:01:10Z', endTime: '2026-01-31T09:05:00Z' }])
})

it('a skipped step has no times', () => {
  const steps = ['build', 'push'].map((name) => ({ name, ...terminated('Error') }))
  const run = aTaskRun({ status: { conditions: [succeeded('False', 'Failed')], steps } })
  expect(runSteps(run)[1]).toEqual({ name: 'push', status: 'Skipped', startTime: undefined, endTime: undefined })
})

it('steps that are not a list are ignored', () =>
  expect(runSteps(aTaskRun({ status: { conditions: [], steps: { a: 1 } as never } }))).toEqual([]))

const task = (name: string, condition: Condition, status: TaskRun['status'] = {}) =>
  aTaskRun({ metadata: { labels: { [labels.pipelineTask]: name } }, status: { ...status, conditions: [condition] } })
const late = task('late', succeeded('False', 'Failed', 'later'), { completionTime: '2026-01-31T09:05:00Z' })
const early = task('build', succeeded('False', 'Failed', 'step build exited with 1'), {
  completionTime: '2026-01-31T09:04:00Z',
  steps: [
    { name: 'clone', ...terminated('Completed') },
    { name: 'build', container: 'step-build', ...terminated('Error') },
    { name: 'push', ...terminated('Error') },
  ],
})
const ofTask = (name: string) => ({ task: name, taskRun: aTaskRun().metadata.name })
const ended = { exitCode: 1 }
const outOfTime = 'TaskRun cancelled as the PipelineRun it belongs to has timed out.'
const good = task('scan', succeeded('True', 'Succeeded'), { completionTime: '2026-01-31T09:01:00Z' })

test.each<[string, Condition, TaskRun[], RunFailure | undefined]>([
  [
    'STAT-45, STAT-46 the first failed step of the task that failed first',
    succeeded('False', 'Failed', 'Tasks Completed: 3'),
    [late, good, early],
    { ...ofTask('build'), step: 'build', container: 'step-build', ...ended, message: 'step build exited with 1' },
  ],
  [
    'STAT-45 a verification that reports why',
    succeeded('False', 'Failed'),
    [
      task('verify', succeeded('False', 'Failed', 'exit status 1'), {
        results: [{ name: 'TEST_OUTPUT', value: '{"result":"FAILURE","failures":2,"warnings":1,"note":"Not met."}' }],
      }),
    ],
    { ...ofTask('verify'), report: '2 failures, 1 warning. Not met.', message: 'exit status 1' },
  ],
  [
    'STAT-45 a task whose report does not say why',
    succeeded('False', 'Failed'),
    [
      task('verify', succeeded('False', 'Failed', 'exit status 1'), {
        results: [{ name: 'TEST_OUTPUT', value: '{"result":"SUCCESS","successes":2,"note":"Fine."}' }],
      }),
    ],
    { ...ofTask('verify'), message: 'exit status 1' },
  ],
  ['STAT-45 a task without steps', succeeded('False', 'Failed'), [late], { ...ofTask('late'), message: 'later' }],
  [
    'STAT-46 a step that does not name its container',
    succeeded('False', 'Failed'),
    [task('push', succeeded('False', 'Failed', 'no'), { steps: [{ name: 'push', ...terminated('Error') }] })],
    { ...ofTask('push'), step: 'push', container: 'step-push', ...ended, message: 'no' },
  ],
  ['STAT-47 stopped', succeeded('False', 'StoppedRunFinally', 'was stopped'), [early], { message: 'was stopped' }],
  [
    'STAT-48 cancelled',
    succeeded('False', 'CancelledRunFinally', 'was cancelled'),
    [early],
    { message: 'was cancelled' },
  ],
  [
    'STAT-49 timed out',
    succeeded('False', 'PipelineRunTimeout', 'took too long'),
    [early],
    { message: 'took too long' },
  ],
  [
    'STAT-50 no message',
    succeeded('False', 'Failed'),
    [task('build', succeeded('False', 'Failed'))],
    { ...ofTask('build'), message: 'Unknown failure condition' },
  ],
  [
    'STAT-46 an end with a specific reason from the kubelet',
    succeeded('False', 'Failed'),
    [task('push', succeeded('False', 'Failed', 'no'), { steps: [{ name: 'push', ...terminated('OOMKilled', 137) }] })],
    {
      ...ofTask('push'),
      step: 'push',
      container: 'step-push',
      exitCode: 137,
      exitReason: 'OOMKilled',
      message: 'no',
    },
  ],
  [
    'STAT-46 ignores a step whose error is ignored',
    succeeded('False', 'Failed'),
    [
      task('push', succeeded('False', 'Failed', 'no'), {
        steps: [
          { name: 'lint', ...terminated('Error', 2), terminationReason: 'Continued' },
          { name: 'push', ...terminated('Error', 3) },
        ],
      }),
    ],
    { ...ofTask('push'), step: 'push', container: 'step-push', exitCode: 3, message: 'no' },
  ],
  [
    'STAT-45 a task with an invalid configuration',
    succeeded('False', 'Failed'),
    [good, task('late', succeeded('False', 'CreateContainerConfigError', 'no such secret'))],
    { ...ofTask('late'), hasNotStarted: true, message: 'no such secret' },
  ],
  [
    'STAT-45, STAT-46 a task whose image could not be pulled, in which no step ran',
    succeeded('False', 'Failed'),
    [task('build', pullFailed, { steps: [{ name: 'push', ...terminated('TaskRunImagePullFailed') }] })],
    { ...ofTask('build'), hasNotStarted: true, message: pullMessage },
  ],
  [
    'STAT-45 the first failure that the pipeline does not ignore',
    succeeded('False', 'Failed'),
    [task('lint', succeeded('False', 'FailureIgnored', 'x'), { completionTime: '2026-01-31T09:00:00Z' }), late],
    { ...ofTask('late'), message: 'later' },
  ],
  [
    'STAT-45 ignores a task that was cancelled with the run',
    succeeded('False', 'Failed', 'Tasks Completed: 3'),
    [task('lint', succeeded('False', 'TaskRunCancelled', 'x'))],
    { message: 'Tasks Completed: 3' },
  ],
  [
    'STAT-49 timed out, with the tasks that were running',
    succeeded('False', 'PipelineRunTimeout', 'took too long'),
    [good, task('build', succeeded('False', 'TaskRunCancelled', `TaskRun "build" was cancelled. ${outOfTime}`)), early],
    { message: 'took too long', timedOut: ['build'] },
  ],
  [
    'STAT-49 timed out, with each task of a matrix once',
    succeeded('False', 'PipelineRunTimeout', 'took too long'),
    ['one', 'two'].map(() => task('build', succeeded('False', 'TaskRunCancelled', outOfTime))),
    { message: 'took too long', timedOut: ['build'] },
  ],
  [
    'STAT-45 a task that ran too long',
    succeeded('False', 'Failed', 'Tasks Completed: 1'),
    [
      task('build', succeeded('False', 'TaskRunTimeout', 'no end'), {
        steps: [{ name: 'make', ...terminated('TaskRunTimeout') }],
      }),
    ],
    { ...ofTask('build'), step: 'make', container: 'step-make', hasTimedOut: true, message: 'no end' },
  ],
  [
    'STAT-45 a task that was running when the time for tasks was over',
    succeeded('False', 'Failed', 'Tasks Completed: 1'),
    [good, task('build', succeeded('False', 'TaskRunCancelled', outOfTime))],
    { ...ofTask('build'), hasTimedOut: true, message: outOfTime },
  ],
  ['no task to blame', succeeded('False', 'CouldntGetPipeline', 'not found'), [good], { message: 'not found' }],
  ['STAT-45 a run that is running', succeeded('Unknown', 'Running'), [early], undefined],
  ['STAT-45 a run that succeeded', succeeded('True', 'Succeeded'), [early], undefined],
])('why a run failed: %s', (_, condition, taskRuns, expected) => {
  expect(failureOf(aPipelineRun({ status: { conditions: [condition] } }), taskRuns)).toEqual(expected)
})

it('STAT-51 the text of a failed task says where to look and what is known', () => {
  expect(taskFailureText(early)).toBe('Failure - check logs for details. step build exited with 1')
  expect(taskFailureText(task('build', succeeded('False', 'Failed')))).toBe(
    'Failure - check logs for details. Unknown failure condition',
  )
  expect(taskFailureText(good)).toBeUndefined()
})

test.each<[string, Partial<StepState>, Condition, RunStatusWord, string | undefined]>([
  ['waiting', { waiting: { reason: 'PodInitializing' } }, succeeded('Unknown', 'Running'), 'Pending', undefined],
  [
    'without its image',
    { waiting: { reason: 'ImagePullBackOff', message: 'not found' } },
    succeeded('Unknown', 'Running'),
    'Pending',
    'ImagePullBackOff: not found',
  ],
  ['running', { running: {} }, succeeded('Unknown', 'Running'), 'Running', undefined],
  ['stopped by Tekton', terminated('Completed'), succeeded('True', 'Succeeded'), 'Succeeded', undefined],
  ['out of memory', terminated('OOMKilled', 137), succeeded('False', 'Failed'), 'Failed', 'OOMKilled, exit code 137'],
  ['without an end', { running: {} }, succeeded('False', 'Failed'), 'Unknown', undefined],
])('a sidecar %s', (_, sidecar, condition, status, note) => {
  const run = aTaskRun({ status: { conditions: [condition], sidecars: [{ name: 'docker', ...sidecar }] } })
  expect(runSidecars(run)).toMatchObject([{ name: 'docker', status }])
  expect(runSidecars(run)[0]?.note).toBe(note)
})

it('sidecars and earlier attempts that are not objects are ignored', () => {
  const status = { sidecars: [null, 'docker'], retriesStatus: [null, 1] } as unknown as TaskRun['status']
  const run = aTaskRun({ status })
  expect([runSidecars(run), earlierAttemptsOf(run)]).toEqual([[], []])
})

it('each earlier attempt is a task run with its own status and uid', () => {
  const conditions = [succeeded('False', 'Failed')]
  const retriesStatus = [
    { podName: 'first', conditions },
    { podName: 'second', conditions },
  ]
  const run = aTaskRun({ metadata: { uid: 'uid' }, status: { podName: 'third', retriesStatus } })
  expect(earlierAttemptsOf(run).map(({ metadata, status }) => [metadata.name, metadata.uid, status])).toEqual([
    [run.metadata.name, 'uid-attempt-1', retriesStatus[0]],
    [run.metadata.name, 'uid-attempt-2', retriesStatus[1]],
  ])
})

test.each<[string, Partial<StepState>[], Condition, string[]]>([
  ['all ran', [terminated('Completed'), terminated('Completed')], succeeded('True', 'Succeeded'), []],
  ['one failed', [terminated('Error'), terminated('Error')], succeeded('False', 'Failed'), ['step-1']],
  ['the task was cancelled', [terminated('TaskRunCancelled'), {}], succeeded('False', 'TaskRunCancelled'), ['step-1']],
  ['the task is running', [terminated('Completed'), {}], succeeded('Unknown', 'Running'), []],
  ['nothing is known', [], succeeded('Unknown', 'Pending'), []],
])('the steps that never ran, if %s', (_, states, condition, expected) => {
  const steps = states.map((state, index) => ({ name: `step-${index}`, container: `c-${index}`, ...state }))
  expect(stepsNeverRun(aTaskRun({ status: { conditions: [condition], steps } }))).toEqual(expected)
})
