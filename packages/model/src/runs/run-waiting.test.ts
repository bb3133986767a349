import type { Event, Pod } from '@slipway/kube/core-types'
import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { type Surroundings, type Unread, waitingOf, waitingTaskRuns } from './run-waiting'
import type { TaskRun } from './task-run'
import { aPipelineRun, aPod, aTaskRun, condition } from '../testing'

const at = '2026-01-31T09:00:00Z'
/** What is known besides the run and its tasks, a few minutes after they have started. */
const known = (more: Partial<Surroundings> = {}, afterMinutes = 1): Surroundings => ({
  nowMs: Date.parse(at) + afterMinutes * 60_000,
  ...more,
})
const run = (reason?: string): PipelineRun =>
  aPipelineRun({ status: { conditions: reason ? [condition('Succeeded', 'Unknown', reason)] : [] } })
const unread: Unread[] = (['pods', 'events', 'custom runs'] as const).map((source) => ({ source, because: 'denied' }))
const pod = 'build-pod'
const task = (reason: string, over: TaskRun['status'] = {}): TaskRun =>
  aTaskRun({ status: { podName: pod, conditions: [condition('Succeeded', 'Unknown', reason)], ...over } })
const running = aTaskRun({
  metadata: { name: 'running', labels: { [labels.pipelineTask]: 'clone' } },
  status: {
    conditions: [condition('Succeeded', 'Unknown', 'Running')],
    steps: [{ name: 'clone', running: { startedAt: '2026-01-31T09:00:00Z' } }],
  },
})
const aWarning = (name: string, reason: string, message: string, lastTimestamp = '2026-01-31T09:00:00Z'): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${name}.1` },
  type: 'Warning',
  involvedObject: { kind: 'Pod', name },
  reason,
  message,
  lastTimestamp,
})
const unschedulable: Pod = aPod({
  metadata: { name: pod },
  status: {
    phase: 'Pending',
    conditions: [
      { ...condition('PodScheduled', 'False', 'Unschedulable'), message: '0/5 nodes are available' },
      condition('ContainersReady', 'False', 'ContainersNotReady'),
    ],
  },
})
const pulling: Pod = aPod({
  metadata: { name: pod },
  status: {
    containerStatuses: [
      {
        name: 'step-build',
        image: '',
        imageID: '',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x"' } },
      },
    ],
  },
})

const custom = (own?: ReturnType<typeof condition>, message = ''): TaskRun => ({
  ...task('Running', { podName: '', conditions: own ? [{ ...own, message }] : [] }),
  kind: 'CustomRun',
})

describe('a waiting task', () => {
  test.each<[string, TaskRun, Pod[], Event[], string, string]>([
    ['for the quota', task('ExceededResourceQuota'), [], [], 'The quota of this namespace is used up', 'condition'],
    ['for a node', task('Pending'), [unschedulable], [], 'No node of the cluster has room for it', 'pod'],
    ['for an image', task('Pending'), [pulling], [], 'An image that it needs cannot be pulled', 'pod'],
    [
      'for a volume',
      task('Pending'),
      [],
      [aWarning(pod, 'FailedMount', 'no such secret')],
      'A volume of its pod cannot be mounted',
      'event',
    ],
    ['for its next attempt', task('ToBeRetried'), [], [], 'It failed and is about to be retried', 'condition'],
  ])('%s gives the reason and its evidence', (_, taskRun, pods, events, text, from) => {
    const waiting = waitingOf(run('Running'), [running, taskRun], known({ pods, events }))
    expect(waiting?.text).toContain(text)
    expect(waiting?.task).toBe('build')
    expect(waiting?.evidence[0]?.from).toBe(from)
  })

  test.each<[string, TaskRun, string, string[]]>([
    [
      'for the custom task, with what its controller says',
      custom(condition('Succeeded', 'Unknown', 'WaitingForApproval'), 'waits for an approver'),
      'Waiting for its custom task to end.',
      ['waits for an approver'],
    ],
    [
      'for the custom task, with what its controller says of a state that says nothing',
      custom(condition('Succeeded', 'Unknown', 'Running'), 'waits for alice'),
      'Waiting for its custom task to end.',
      ['waits for alice'],
    ],
    ['for the controller', custom(), 'Waiting for the controller of its custom task.', []],
  ])('that a custom controller runs waits %s', (_, taskRun, text, messages) => {
    const waiting = waitingOf(run('Running'), [taskRun], known())
    expect(waiting?.text).toBe(text)
    expect(waiting?.evidence.map(({ message }) => message)).toEqual(messages)
  })

  it('names the node that it lacks, although its pod cannot be read', () => {
    const message = 'pod status "PodScheduled":"False"; message: "0/3 nodes are available"'
    const pending = task('Pending', { conditions: [{ ...condition('Succeeded', 'Unknown', 'Pending'), message }] })
    const unread = [{ source: 'pods' as const, because: 'no right' }]
    expect(waitingOf(run('Running'), [pending], known({ unread }))).toMatchObject({
      text: 'No node of the cluster has room for it. It starts when one has.',
      evidence: [{ from: 'condition', reason: 'Unschedulable', message }],
      unread: [],
    })
  })

  it('quotes the scheduler once and the newest event first', () => {
    const events = [
      aWarning(pod, 'FailedScheduling', 'older', '2026-01-31T08:00:00Z'),
      aWarning(pod, 'FailedScheduling', 'newer'),
      aWarning(pod, 'FailedScheduling', 'newer'),
      aWarning('another', 'FailedScheduling', 'of another'),
    ]
    const { evidence } = waitingOf(run('Running'), [task('Pending')], known({ pods: [unschedulable], events })) ?? {}
    expect(evidence?.map(({ message }) => message)).toEqual(['0/5 nodes are available', 'newer', 'older'])
  })

  it('is not reported while its pod is being prepared and other tasks run', () => {
    const preparing = task('Pending', { steps: [{ name: 'build', waiting: { reason: 'PodInitializing' } }] })
    expect(waitingOf(run('Running'), [running, preparing], known())).toBeUndefined()
    expect(waitingOf(run('Running'), [preparing], known())?.text).toBe('Its pod is being prepared.')
    const withoutPod = task('Pending', { podName: undefined })
    expect(waitingOf(run('Running'), [withoutPod], known())?.text).toContain('its pod to be created')
    expect(waitingTaskRuns([running, preparing])).toEqual([preparing])
  })
})

describe('a waiting run', () => {
  test.each<[string, PipelineRun, string]>([
    ['on hold', aPipelineRun({ spec: { status: 'PipelineRunPending' } }), 'It is on hold'],
    ['not picked up', run(), 'Not picked up yet'],
    ['resolving', run('ResolvingPipelineRef'), 'The definition of its pipeline'],
    ['without tasks', run('Running'), 'Its first tasks have not been created yet'],
  ])('%s', (_, waiting, text) => expect(waitingOf(waiting, [], known())?.text).toContain(text))

  it('is not a run that has ended or is between two tasks', () => {
    const done = aTaskRun({ status: { conditions: [condition('Succeeded', 'True')] } })
    const ended = aPipelineRun({ status: { conditions: [condition('Succeeded', 'True')] } })
    expect(waitingOf(ended, [], known())).toBeUndefined()
    expect(waitingOf(run('Running'), [done], known())).toBeUndefined()
  })

  describe('for a child that is not among its known task runs', () => {
    const refersTo = (kind: string): PipelineRun => ({
      ...run('Running'),
      status: { ...run('Running').status, childReferences: [{ kind, name: 'a', pipelineTaskName: 'approve' }] },
    })
    test.each<[string, Unread['source'][]]>([
      ['CustomRun', ['custom runs']],
      ['PipelineRun', []],
    ])('of the kind %s names its task, and does not say that no task has been created', (kind, sources) => {
      const done = aTaskRun({ status: { conditions: [condition('Succeeded', 'True')] } })
      for (const taskRuns of [[], [done]])
        expect(waitingOf(refersTo(kind), taskRuns, known({ unread }))).toMatchObject({
          text: 'No other task is running, so it probably waits for approve, of which the state is not known.',
          unread: unread.filter(({ source }) => sources.includes(source)),
        })
      expect(waitingOf(refersTo(kind), [running], known({ unread }))).toBeUndefined()
    })

    it('says nothing while its task runs are not known', () =>
      expect(waitingOf(refersTo('TaskRun'), [], known())).toBeUndefined())
  })

  it('tolerates reasons named like built-in properties', () => {
    expect(waitingOf(run('Running'), [task('constructor')], known())?.text).toBe('Its pod is being prepared.')
  })
})

describe('what was not read', () => {
  const preparing = task('Pending')
  test.each<[string, PipelineRun, TaskRun[], Partial<Surroundings>, Unread['source'][]]>([
    ['a task with a pod', run('Running'), [preparing], {}, ['pods', 'events']],
    ['a task without a pod', run('Running'), [task('Pending', { podName: undefined })], {}, ['events']],
    ['a task whose condition names the reason', run('Running'), [task('ExceededResourceQuota')], {}, []],
    ['a task whose pod names the reason', run('Running'), [preparing], { pods: [unschedulable] }, []],
    ['a custom run', run('Running'), [{ ...preparing, kind: 'CustomRun' }], {}, []],
    ['a run that was not picked up', run(), [], {}, ['events']],
    ['a run without tasks', run('Running'), [], {}, ['events']],
    ['a run on hold', aPipelineRun({ spec: { status: 'PipelineRunPending' } }), [], {}, []],
    ['a run whose condition names the reason', run('ResolvingPipelineRef'), [], {}, []],
  ])('is listed for %s as far as it may name the reason', (_, waiting, taskRuns, more, sources) => {
    const { unread: listed } = waitingOf(waiting, taskRuns, known({ ...more, unread })) ?? {}
    expect(listed?.map(({ source }) => source)).toEqual(sources)
  })
})

describe('a task that takes long to start', () => {
  const ended = { name: 'clone', terminated: { exitCode: 0, reason: 'Completed' } }
  const slow = task('Pending', { startTime: at })
  it('is reported while other tasks run, and since when', () => {
    expect(waitingOf(run('Running'), [running, slow], known({}, 5))).toBeUndefined()
    expect(waitingOf(run('Running'), [running, slow], known({ unread }, 6))).toMatchObject({
      task: 'build',
      text: 'Its pod is being prepared.',
      since: at,
      unread: [{ source: 'pods' }, { source: 'events' }],
    })
  })
  test.each<[string, TaskRun]>([
    ['that a custom controller runs', { ...slow, kind: 'CustomRun' }],
    ['some of whose steps have ended', task('Pending', { startTime: at, steps: [ended] })],
    [
      'that is about to run once more',
      { ...task('Pending', { retriesStatus: [{ startTime: at }] }), metadata: { name: 'x', creationTimestamp: at } },
    ],
  ])('is not a task %s', (_, other) =>
    expect(waitingOf(run('Running'), [running, other], known({}, 60))).toBeUndefined(),
  )
})
