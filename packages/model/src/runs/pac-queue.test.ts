import { expect, test } from 'vitest'
import { annotations, labels } from '../labels'
import { aPipelineRun, condition } from '../testing'
import { pacQueueOf, pacQueueText, pacQueueNameOf } from './pac-queue'
import type { PipelineRun } from './pipeline-run'
import { waitingOf } from './run-waiting'

const repository = 'checkout-api'
const build = (
  name: string,
  state: 'started' | 'queued' | 'completed',
  { minute = 0, order = '', of = repository, isFinished = false } = {},
): PipelineRun =>
  aPipelineRun({
    metadata: {
      name,
      namespace: 'team',
      creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
      labels: { [labels.repository]: of, [labels.runState]: state },
      annotations: { [annotations.executionOrder]: order },
    },
    spec: state === 'queued' ? { status: 'PipelineRunPending' } : {},
    status: { conditions: isFinished ? [condition('Succeeded', 'True')] : [] },
  })

const own = build('own', 'queued', { minute: 5 })

test.each<[string, PipelineRun, PipelineRun[], string]>([
  [
    'the only one that runs',
    own,
    [build('a', 'started')],
    'Waits for 1 of 1 runs of this repository to end: 1 is running, none is queued before it.',
  ],
  [
    'those that run and those created before it',
    own,
    [
      build('a', 'started'),
      build('b', 'started'),
      build('c', 'queued', { minute: 4 }),
      build('later', 'queued', { minute: 6 }),
    ],
    'Waits for 2 of 3 runs of this repository to end: 2 are running, 1 is queued before it.',
  ],
  [
    'those that the order of its event names before it',
    build('own', 'queued', { minute: 1, order: 'team/c, team/own' }),
    [build('a', 'started'), build('c', 'queued', { minute: 2 })],
    'Waits for 2 of 2 runs of this repository to end: 1 is running, 1 is queued before it.',
  ],
  [
    'not those of another repository, itself, or what has ended',
    own,
    [
      own,
      build('a', 'started'),
      build('other', 'started', { of: 'ledger' }),
      build('ended', 'started', { isFinished: true }),
      build('reported', 'completed', { isFinished: true }),
    ],
    'Waits for 1 of 1 runs of this repository to end: 1 is running, none is queued before it.',
  ],
  [
    'others, although nothing runs',
    own,
    [build('c', 'queued', { minute: 3 })],
    'Pipelines as Code holds it in the queue of this repository, and 1 is queued before it.',
  ],
  [
    'nothing that is known',
    own,
    [],
    'Pipelines as Code holds it in the queue of this repository, although no other run of the repository is running or queued before it.',
  ],
])('a run in the queue of its repository waits for %s', (_, run, runs, text) => {
  const queue = pacQueueOf(run, runs)
  expect(pacQueueText(queue)).toBe(text)
  expect(waitingOf(run, [], { queue, nowMs: 0 })?.text).toBe(text)
})

test.each<[string, PipelineRun, string | undefined]>([
  ['one that is queued', own, repository],
  ['one that runs', build('a', 'started'), undefined],
  ['one that was cancelled in the queue', build('a', 'queued', { isFinished: true }), undefined],
  ['one on hold that no repository queues', aPipelineRun({ spec: { status: 'PipelineRunPending' } }), undefined],
])('the queue of a run: %s', (_, run, expected) => expect(pacQueueNameOf(run)).toBe(expected))
