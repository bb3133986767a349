import { describe, expect, test } from 'vitest'
import { copiedPacKey, labels } from '../labels'
import type { Snapshot } from '../snapshots/snapshot'
import { condition } from '../testing'
import { aSnapshot } from '../testing/tests-and-releases'
import type { Release } from './release'
import { baselineOf } from './snapshot-baseline'

describe('baselineOf', () => {
  const at = (hour: number) => `2026-01-31T${String(hour).padStart(2, '0')}:00:00Z`
  const pullRequest = {
    [copiedPacKey(labels.eventType)]: 'pull_request',
    [copiedPacKey(labels.pullRequestNumber)]: '7',
  }
  const created = (name: string, hour: number, marks = {}) =>
    aSnapshot({ metadata: { name, creationTimestamp: at(hour), labels: marks }, spec: { components: [] } })
  const release = (snapshot: string, hour: number, isSuccess = true, application = 'checkout'): Release => ({
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'Release',
    metadata: { name: `${snapshot}-${hour}`, labels: { [labels.application]: application } },
    spec: { snapshot, releasePlan: 'production' },
    status: {
      completionTime: at(hour),
      conditions: [condition('Released', isSuccess ? 'True' : 'False', isSuccess ? 'Succeeded' : 'Failed')],
    },
  })
  const [one, two, three] = [created('one', 1), created('two', 2), created('three', 3)]
  const change = created('change', 2, pullRequest)

  test.each<[string, Snapshot, Snapshot[], Release[], ReturnType<typeof baselineOf>]>([
    ['the one released last', three, [one, two], [release('one', 1)], { name: 'one', reason: 'released' }],
    [
      'the one whose release ended last, whichever is newer',
      three,
      [one, two],
      [release('two', 2), release('one', 4)],
      { name: 'one', reason: 'released' },
    ],
    [
      'for a released one, the one released before it, however often it was released',
      two,
      [one, three],
      [release('one', 1), release('two', 2), release('three', 3), release('two', 4)],
      { name: 'one', reason: 'released' },
    ],
    ['not a failed release', three, [one, two], [release('one', 3, false)], { name: 'two', reason: 'previous' }],
    [
      'not a release of another application',
      three,
      [one, two],
      [release('one', 3, true, 'other')],
      { name: 'two', reason: 'previous' },
    ],
    ['a released one that only the archive has', two, [], [release('gone', 1)], { name: 'gone', reason: 'released' }],
    ['the one before it without a release', three, [one, two], [], { name: 'two', reason: 'previous' }],
    ['the one before it that has been merged', three, [one, change], [], { name: 'one', reason: 'previous' }],
    ['that of a pull request if there is no other', three, [change], [], { name: 'change', reason: 'previous' }],
    ['one of the same second by name', created('two-b', 2), [two], [], { name: 'two', reason: 'previous' }],
    ['none of the same second with a later name', two, [created('two-b', 2)], [], undefined],
    ['none that is newer', one, [two, three], [], undefined],
    [
      'not a newer one, although it was released last',
      two,
      [one, three],
      [release('one', 2), release('three', 4)],
      { name: 'one', reason: 'released' },
    ],
    [
      'the one before it if only newer ones were released',
      two,
      [one, three],
      [release('three', 4)],
      { name: 'one', reason: 'previous' },
    ],
    [
      'not one that only the archive has and that may be newer',
      two,
      [one],
      [release('gone', 3)],
      { name: 'one', reason: 'previous' },
    ],
    ['not itself', one, [one], [release('one', 1)], undefined],
  ])('is %s', (_, snapshot, others, releases, expected) =>
    expect(baselineOf(snapshot, others, releases)).toEqual(expected),
  )
})
