import { expect, test } from 'vitest'
import { annotations, labels } from '../labels'
import { aPipelineRun, condition } from '../testing'
import { comparableRuns, lastGreenOf } from './last-green'

interface RunOf {
  day: number
  isGreen?: boolean
  branch?: string
  pullRequest?: string
  labels?: Record<string, string>
}

const aRun = (name: string, { day, isGreen = true, branch = 'main', pullRequest, labels: own = {} }: RunOf) =>
  aPipelineRun({
    metadata: {
      name,
      uid: name,
      labels: {
        ...own,
        [labels.eventType]: pullRequest ? 'pull_request' : 'push',
        ...(pullRequest && { [labels.pullRequestNumber]: pullRequest }),
      },
      annotations: { [annotations.branch]: branch },
    },
    status: {
      startTime: `2026-01-${String(day).padStart(2, '0')}T09:00:00Z`,
      conditions: [condition('Succeeded', isGreen ? 'True' : 'False')],
    },
  })

const red = aRun('red', { day: 10, isGreen: false })
const redOfPull = aRun('red', { day: 10, isGreen: false, pullRequest: '7' })

test.each([
  ['none without other runs', red, [red], undefined],
  ['the newest of several', red, [aRun('old', { day: 1 }), aRun('new', { day: 2 })], 'new'],
  ['none that failed', red, [aRun('old', { day: 1 }), aRun('new', { day: 2, isGreen: false })], 'old'],
  ['none that started later', red, [aRun('later', { day: 11 }), aRun('old', { day: 1 })], 'old'],
  ['none of another branch', red, [aRun('other', { day: 2, branch: 'next' })], undefined],
  ['none of another component', red, [aRun('other', { day: 2, labels: { [labels.component]: 'web' } })], undefined],
  ['none of another version', red, [aRun('other', { day: 2, labels: { [labels.version]: 'v2' } })], undefined],
  ['none of another type', red, [aRun('other', { day: 2, labels: { [labels.pipelineType]: 'test' } })], undefined],
  ['none of a pull request for one of a push', red, [aRun('pull', { day: 2, pullRequest: '7' })], undefined],
  [
    'one of the same pull request before a newer one of another',
    redOfPull,
    [aRun('same', { day: 1, pullRequest: '7' }), aRun('other', { day: 2, pullRequest: '8' })],
    'same',
  ],
  [
    'one of another pull request without one of the same',
    redOfPull,
    [aRun('other', { day: 2, pullRequest: '8' })],
    'other',
  ],
])('the last green run is %s', (_, run, runs, expected) => {
  expect(lastGreenOf(run, runs)?.metadata.name).toBe(expected)
})

test('a run of a release can be compared with no other: which do the same is not known', () => {
  const own = { [labels.pipelineType]: 'managed' }
  expect(comparableRuns(aRun('a', { day: 2, labels: own }), [aRun('b', { day: 1, labels: own })])).toEqual([])
})
