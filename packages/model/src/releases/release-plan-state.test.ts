import { nameOf } from '@slipway/kube/object'
import { describe, expect, it, test } from 'vitest'
import { copiedPacKey, labels } from '../labels'
import { aRelease, condition } from '../testing'
import { aReleasePlan, aSnapshot } from '../testing/tests-and-releases'
import type { Release } from './release'
import { currentReleaseOf, isHeldBack, releasePlanState } from './release-plan-state'

const plan = aReleasePlan({ status: { releasePlanAdmission: { name: 'release-managed/prod', active: true } } })
const namespace = plan.metadata.namespace

const at = (hour: number) => `2026-01-31T${String(hour).padStart(2, '0')}:00:00Z`

const outcomes = {
  Succeeded: [condition('Released', 'True', 'Succeeded')],
  Failed: [condition('Released', 'False', 'Failed')],
  Progressing: [condition('Released', 'False', 'Progressing')],
}

interface ReleaseOptions {
  outcome?: keyof typeof outcomes
  created?: number
  ended?: number
  of?: string
  releasePlan?: string
  in?: string
}

const release = (name: string, options: ReleaseOptions = {}): Release => {
  const { outcome = 'Succeeded', created = 10, ended = created, of = 's10', releasePlan = nameOf(plan) } = options
  return aRelease({
    metadata: { name, namespace: options.in ?? namespace, creationTimestamp: at(created) },
    spec: { releasePlan, snapshot: of },
    status: { conditions: outcomes[outcome], ...(outcome !== 'Progressing' && { completionTime: at(ended) }) },
  })
}

const snapshot = (hour: number, own: Record<string, string> = {}, spec: { application?: string } = {}) =>
  aSnapshot({
    metadata: { name: `s${hour}`, namespace, creationTimestamp: at(hour), labels: own },
    spec,
    status: {
      conditions: [
        condition('AppStudioTestSucceeded', 'False'),
        condition('AppStudioIntegrationStatus', 'True', 'Finished'),
      ],
    },
  })

const pullRequest = {
  [copiedPacKey(labels.eventType)]: 'pull_request',
  [copiedPacKey(labels.pullRequestNumber)]: '7',
}

describe('the current release of a plan', () => {
  test.each<[title: string, releases: Release[], current: string | undefined]>([
    ['none without releases', [], undefined],
    [
      'none if none has succeeded',
      [release('a', { outcome: 'Failed' }), release('b', { outcome: 'Progressing' })],
      undefined,
    ],
    ['the only one that has succeeded', [release('a'), release('b', { outcome: 'Failed', created: 12 })], 'a'],
    ['the one that ended last', [release('a', { created: 9 }), release('b', { created: 11 })], 'b'],
    [
      'the one that ended last of two that overlapped',
      [release('a', { created: 9, ended: 13 }), release('b', { created: 11 })],
      'a',
    ],
    ['not one of another plan', [release('a', { releasePlan: 'to-staging', created: 12 }), release('b')], 'b'],
    [
      'not one of a plan of the same name elsewhere',
      [release('a', { in: 'team-other', created: 12 }), release('b')],
      'b',
    ],
  ])('is %s', (_, releases, current) => {
    expect(currentReleaseOf(plan, releases)?.metadata.name).toBe(current)
  })
})

describe('what is newer than the current release of a plan', () => {
  const newerThan = (releases: Release[], snapshots = [snapshot(9), snapshot(10), snapshot(11), snapshot(12)]) =>
    releasePlanState(plan, releases, snapshots).newer.map((each) => nameOf(each.snapshot))

  test.each<[title: string, found: string[], expected: string[]]>([
    ['are all merged snapshots before the first release, the newest first', newerThan([]), ['s12', 's11', 's10', 's9']],
    ['are those after the snapshot that was released', newerThan([release('a')]), ['s12', 's11']],
    ['are none after the newest', newerThan([release('a', { of: 's12', created: 13 })]), []],
    [
      'include what was released before an older one was released again',
      newerThan([release('a', { of: 's12' }), release('b', { of: 's11', created: 14 })]),
      ['s12'],
    ],
    [
      'are those after the release if its snapshot has been deleted',
      newerThan([release('a', { of: 'gone', created: 11 })]),
      ['s12'],
    ],
    ['are no snapshots of pull requests', newerThan([], [snapshot(11, pullRequest), snapshot(12)]), ['s12']],
    [
      'are no snapshots of other applications',
      newerThan([], [snapshot(11, {}, { application: 'other' }), snapshot(12)]),
      ['s12'],
    ],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))

  it('is held back for the reasons that the page of the snapshot says', () => {
    const [first, second] = releasePlanState(
      plan,
      [release('a'), release('b', { of: 's12', outcome: 'Failed', created: 13 })],
      [snapshot(10), snapshot(11), snapshot(12)],
    ).newer
    expect(first?.prospect).toMatchObject({ outlook: 'Failed' })
    expect(first && isHeldBack({ plan, current: undefined, snapshot: undefined, newer: [first] })).toBe(true)
    expect(second?.prospect).toMatchObject({ outlook: 'Held back', reasons: ['Required tests have not passed.'] })
  })

  it('is not held back while its release is running, nor once nothing is newer', () => {
    const running = release('b', { of: 's12', outcome: 'Progressing', created: 13 })
    expect(isHeldBack(releasePlanState(plan, [release('a'), running], [snapshot(10), snapshot(12)]))).toBe(false)
    expect(isHeldBack(releasePlanState(plan, [release('a')], [snapshot(10)]))).toBe(false)
  })

  it('is not known of a plan of a component group', () => {
    const ofGroup = aReleasePlan({ spec: { application: undefined, componentGroup: 'all' } })
    expect(releasePlanState(ofGroup, [], [snapshot(11)]).newer).toEqual([])
  })
})
