import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { describe, expect, it } from 'vitest'
import { keyedRandom } from '../keyed-random'
import { isSuperseded } from './promotion'
import { appliesTo, isOfPush, testRunFor } from './test-run-for'
import { testStatusesOf } from './test-status'

const event = copiedPacKey(labels.eventType)
const pullRequest = copiedPacKey(labels.pullRequestNumber)
const snapshot = (marks: Record<string, string | undefined>) => aSnapshot({ metadata: { labels: marks } })
const ofPullRequest = { [event]: 'pull_request', [pullRequest]: '7' }

it.each<[string, Record<string, string | undefined>, boolean]>([
  ['a push', { [event]: 'push' }, true],
  ['a push to GitLab', { [event]: 'Push' }, true],
  ['the push of a merged pull request', { [event]: 'push', [pullRequest]: '7' }, true],
  ['a manual build', { [event]: 'incoming' }, true],
  ['no event', { [event]: undefined }, true],
  ['a pull request', ofPullRequest, false],
  ['a merge request', { [event]: 'Merge_Request', [pullRequest]: '7' }, false],
  ['a comment on a pull request', { [event]: 'retest-all-comment', [pullRequest]: '7' }, false],
])('isOfPush for a snapshot of %s', (_, marks, expected) => expect(isOfPush(snapshot(marks))).toBe(expected))

describe('a scenario', () => {
  it.each<[string[], Record<string, string | undefined>, boolean]>([
    [[], {}, true],
    [['application'], {}, true],
    [['all'], ofPullRequest, true],
    [['push'], {}, true],
    [['push'], ofPullRequest, false],
    [['pull_request'], ofPullRequest, true],
    [['pull_request'], {}, false],
    [['component'], {}, true],
    [['component'], { [labels.snapshotType]: 'group' }, false],
    [['group'], { [labels.snapshotType]: 'group' }, true],
    [['override'], { [labels.snapshotType]: 'override' }, true],
    [['override'], {}, false],
    [['component_checkout-api'], {}, true],
    [['component_checkout'], {}, false],
    [['group', 'push'], {}, true],
    [['unknown'], {}, false],
  ])('with the contexts %j applies to a snapshot with %j: %s', (contexts, marks, expected) => {
    const scenario = anIntegrationTestScenario({ spec: { contexts: contexts.map((name) => ({ name })) } })
    expect(appliesTo(scenario, snapshot(marks))).toBe(expected)
  })

  it('has a run with a new name for each repetition, and never the name of another run', () => {
    const random = (key: string) => keyedRandom('test', key)
    const input = { snapshot: aSnapshot(), scenario: anIntegrationTestScenario(), random }
    const nameFor = (more: { previous?: string; isTaken?: (name: string) => boolean } = {}) =>
      testRunFor({ ...input, ...more })?.metadata.name
    const first = nameFor()
    expect(first).toMatch(/./)
    expect(nameFor()).toBe(first)
    expect(nameFor({ previous: first })).not.toBe(first)
    expect(nameFor({ isTaken: (name) => name === first })).not.toBe(first)
  })
})

it.each(['', '{', '{}', 'null', '[1, null, {"scenario": 1}]'])(
  'testStatusesOf returns no statuses for the invalid value %j',
  (value) =>
    expect(testStatusesOf(aSnapshot({ metadata: { annotations: { [annotations.testStatus]: value } } }))).toEqual([]),
)

it.each<[string | undefined, string | undefined, boolean]>([
  ['1769850000000', '1769850000', false],
  ['1769850000000', '1769850001', true],
  ['1769850000000', undefined, false],
  [undefined, '1769850001', false],
])('a snapshot of a build of %s is superseded by a build of %s: %s', (startMs, lastBuiltTime, expected) => {
  const marks = { [annotations.buildStartTime]: startMs }
  expect(isSuperseded(aSnapshot({ metadata: { annotations: marks } }), lastBuiltTime)).toBe(expected)
})
