import { expect, test } from 'vitest'
import { labels } from '../labels'
import type { RunStatusWord } from '../runs/run-status'
import { aPipelineRun, aRelease, condition } from '../testing'
import { commitVerdict } from './commit-verdict'
import type { Release } from './release'

const scenario = { [labels.scenario]: 'e2e' }
const run = (status: 'True' | 'False' | 'Unknown', own: Record<string, string>, result?: string) =>
  aPipelineRun({
    metadata: { labels: own },
    status: {
      conditions: [condition('Succeeded', status)],
      ...(result && { results: [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result }) }] }),
    },
  })

const types = {
  build: {},
  test: scenario,
  release: { [labels.releaseName]: 'shop-1', [labels.pipelineType]: 'managed' },
}
const ofCommit = (hour: number, type: keyof typeof types, status: 'True' | 'False' | 'Unknown', result?: string) => {
  const made = run(status, types[type], result)
  return { ...made, status: { ...made.status, startTime: `2026-01-31T0${hour}:00:00Z` } }
}
const optional = (made: ReturnType<typeof ofCommit>) => ({
  ...made,
  metadata: { ...made.metadata, labels: { ...made.metadata.labels, [labels.optional]: 'true' } },
})

const released = (hour: number, releasePlan: string, status: 'True' | 'False') =>
  aRelease({
    metadata: { name: `${releasePlan}-${hour}`, creationTimestamp: `2026-01-31T0${hour}:00:00Z` },
    spec: { releasePlan, snapshot: 'shop-1' },
    status: { conditions: [condition('Released', status, status === 'True' ? 'Succeeded' : 'Failed')] },
  })

test.each<[string, ReturnType<typeof ofCommit>[], RunStatusWord, text?: string]>([
  ['nothing', [], 'Succeeded'],
  ['a good build', [ofCommit(1, 'build', 'True')], 'Succeeded'],
  [
    'failed tests and a later release',
    [ofCommit(2, 'test', 'True', 'FAILURE'), ofCommit(3, 'release', 'True')],
    'Test Failures',
  ],
  [
    'a failed build and failed tests',
    [ofCommit(1, 'build', 'False'), ofCommit(2, 'test', 'True', 'ERROR')],
    'Failed',
    'Build Failed',
  ],
  [
    'a failed test that passed when run again',
    [ofCommit(2, 'test', 'False'), ofCommit(3, 'test', 'True')],
    'Succeeded',
  ],
  [
    'a test that failed when run again',
    [ofCommit(3, 'test', 'False'), ofCommit(2, 'test', 'True')],
    'Failed',
    'Test Failed',
  ],
  ['an optional test that failed', [optional(ofCommit(2, 'test', 'False')), ofCommit(1, 'build', 'True')], 'Succeeded'],
  ['warnings of a test', [ofCommit(2, 'test', 'True', 'WARNING')], 'Test Warnings'],
  ['a failed release', [ofCommit(1, 'build', 'True'), ofCommit(3, 'release', 'False')], 'Failed', 'Release Failed'],
])('STAT-44 the verdict about a commit with %s', (_, runs, expected, text = expected) => {
  expect(commitVerdict(runs, 'Succeeded')).toEqual({ verdict: expected, text })
  // What its newest run does now does not hide a failure.
  const found = expected === 'Succeeded' ? { verdict: 'Running', text: 'Running' } : { verdict: expected, text }
  expect(commitVerdict(runs, 'Running')).toEqual(found)
})

test.each<[string, Release[], string]>([
  ['a release that failed', [released(1, 'prod', 'False')], 'Release Failed'],
  [
    'a release that failed and succeeded when run again',
    [released(1, 'prod', 'False'), released(2, 'prod', 'True')],
    'Succeeded',
  ],
  [
    'a release by one plan, and a failure by another',
    [released(1, 'stage', 'False'), released(2, 'prod', 'True')],
    'Release Failed',
  ],
  ['a release that is waiting', [aRelease({ spec: { releasePlan: 'prod', snapshot: 'shop-1' } })], 'Succeeded'],
])('STAT-44 the verdict about a commit with %s in another namespace', (_, releases, text) =>
  expect(commitVerdict([ofCommit(1, 'build', 'True')], 'Succeeded', undefined, releases).text).toBe(text),
)

test('STAT-44 the verdict does not depend on the order of runs and releases of the same second', () => {
  const named = (name: string, made: ReturnType<typeof ofCommit>) => ({ ...made, metadata: { ...made.metadata, name } })
  const runs = [named('a', ofCommit(1, 'test', 'False')), named('b', ofCommit(1, 'test', 'True'))]
  const releases = ['a', 'b'].map((name): Release => {
    const made = released(1, 'prod', name === 'a' ? 'False' : 'True')
    return { ...made, metadata: { ...made.metadata, name } }
  })
  for (const [ofRuns, ofReleases] of [
    [runs, releases],
    [runs.toReversed(), releases.toReversed()],
  ] as const) {
    expect(commitVerdict(ofRuns, 'Succeeded', undefined, ofReleases).text).toBe('Succeeded')
  }
})

test('STAT-44 a build that failed is named before the release of an older build', () => {
  const failed = [released(1, 'prod', 'False')]
  expect(commitVerdict([ofCommit(1, 'build', 'False')], 'Failed', undefined, failed).text).toBe('Build Failed')
})
