import type { Event, Pod } from '@slipway/kube/core-types'
import { describe, expect, it, test } from 'vitest'
import { labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { waitingOf, waitingTaskRuns } from './run-waiting'
import type { TaskRun } from './task-run'
import { aPipelineRun, aPod, aTaskRun, condition } from '../testing'

const run = (reason?: string): PipelineRun =>
  aPipelineRun({ status: { conditions: reason ? [condition('Succeeded', 'Unknown', reason)] : [] } })
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
    const waiting = waitingOf(run('Running'), [running, taskRun], pods, events)
    expect(waiting?.text).toContain(text)
    expect(waiting?.task).toBe('build')
    expect(waiting?.evidence[0]?.from).toBe(from)
  })

  it('that a custom controller runs waits for that, and not for a pod', () => {
    const approval = { ...task('WaitingForApproval', { podName: '' }), kind: 'CustomRun' }
    const [condition] = approval.status?.conditions ?? []
    Object.assign(condition ?? {}, { message: 'waits for an approver' })
    expect(waitingOf(run('Running'), [approval])).toMatchObject({
      text: 'Waiting for the controller of its custom task.',
      evidence: [{ from: 'condition', message: 'waits for an approver' }],
    })
  })

  it('quotes the scheduler once and the newest event first', () => {
    const events = [
      aWarning(pod, 'FailedScheduling', 'older', '2026-01-31T08:00:00Z'),
      aWarning(pod, 'FailedScheduling', 'newer'),
      aWarning(pod, 'FailedScheduling', 'newer'),
      aWarning('another', 'FailedScheduling', 'of another'),
    ]
    const { evidence } = waitingOf(run('Running'), [task('Pending')], [unschedulable], events) ?? {}
    expect(evidence?.map(({ message }) => message)).toEqual(['0/5 nodes are available', 'newer', 'older'])
  })

  it('is not reported while its pod is being prepared and other tasks run', () => {
    const preparing = task('Pending', { steps: [{ name: 'build', waiting: { reason: 'PodInitializing' } }] })
    expect(waitingOf(run('Running'), [running, preparing])).toBeUndefined()
    expect(waitingOf(run('Running'), [preparing])?.text).toBe('Its pod is being prepared.')
    expect(waitingOf(run('Running'), [task('Pending', { podName: undefined })])?.text).toContain(
      'its pod to be created',
    )
    expect(waitingTaskRuns([running, preparing])).toEqual([preparing])
  })
})

describe('a waiting run', () => {
  test.each<[string, PipelineRun, string]>([
    ['on hold', aPipelineRun({ spec: { status: 'PipelineRunPending' } }), 'It is on hold'],
    ['not picked up', run(), 'Not picked up yet'],
    ['resolving', run('ResolvingPipelineRef'), 'The definition of its pipeline'],
    ['without tasks', run('Running'), 'Its first tasks have not been created yet'],
  ])('%s', (_, waiting, text) => expect(waitingOf(waiting, [])?.text).toContain(text))

  it('is not a run that has ended or is between two tasks', () => {
    const done = aTaskRun({ status: { conditions: [condition('Succeeded', 'True')] } })
    expect(waitingOf(aPipelineRun({ status: { conditions: [condition('Succeeded', 'True')] } }), [])).toBeUndefined()
    expect(waitingOf(run('Running'), [done])).toBeUndefined()
  })

  it('tolerates reasons named like built-in properties', () => {
    expect(waitingOf(run('Running'), [task('constructor')])?.text).toBe('Its pod is being prepared.')
  })
})
