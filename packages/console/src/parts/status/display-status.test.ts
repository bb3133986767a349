import { aTaskRun, condition } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import { markDeleted, markArchived } from '../../api/archive/origin'
import { isSettled, displaySteps, displayTaskStatus } from './display-status'

const startedAt = '2026-01-31T09:00:00Z'
const finishedAt = '2026-01-31T09:00:10Z'
const going = () =>
  aTaskRun({
    status: {
      conditions: [condition('Succeeded', 'Unknown', 'Running')],
      steps: [
        { name: 'clone', terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt } },
        { name: 'build', running: { startedAt: finishedAt } },
        { name: 'push', waiting: { reason: 'PodInitializing' } },
      ],
    },
  })
const wordsOf = (run: ReturnType<typeof going>) =>
  displaySteps(run).map(({ status, startTime, endTime }) => [status, startTime, endTime])

it('a task run in the cluster is shown with its own status and times', () => {
  const run = going()
  expect([displayTaskStatus(run), isSettled(run)]).toEqual(['Running', false])
  expect(wordsOf(run)).toEqual([
    ['Succeeded', startedAt, finishedAt],
    ['Running', finishedAt, undefined],
    ['Pending', undefined, undefined],
  ])
})

it.each([
  ['that was archived', markArchived(going())],
  ['that was deleted', markDeleted(going())],
])('of a task run %s while it ran, only the steps that had ended are known', (_, run) => {
  expect([displayTaskStatus(run), isSettled(run)]).toEqual(['Unknown', true])
  expect(wordsOf(run)).toEqual([
    ['Succeeded', startedAt, finishedAt],
    ['Unknown', undefined, undefined],
    ['Unknown', undefined, undefined],
  ])
})
