import { expect, it, test } from 'vitest'
import { labels } from '../labels'
import { aPipelineRun, aRelease, condition } from '../testing'
import { aSnapshot } from '../testing/tests-and-releases'
import { type HealthParts, healthOf, heldBackOf, type HealthState, snapshotTitle } from './namespace-health'

const run = aPipelineRun({
  metadata: { namespace: 'team-a', name: 'build-1' },
  status: { completionTime: '2026-01-31T10:00:00Z' },
})
const release = aRelease({
  metadata: { namespace: 'team-a', name: 'release-1' },
  status: { completionTime: '2026-01-31T09:00:00Z', conditions: [] },
})
const snapshot = aSnapshot({
  metadata: { namespace: 'team-a', name: 'snapshot-1', creationTimestamp: '2026-01-31T08:00:00Z' },
})
const ofCheckout = { metadata: { labels: { [labels.application]: 'checkout' } } }
const none: HealthParts = { failedRuns: [], failedReleases: [], heldSnapshots: [], running: {}, lastReleases: [] }

test.each<[string, Partial<HealthParts>, string[], HealthState, string | undefined]>([
  ['nothing is wrong', {}, [], 'Healthy', undefined],
  ['something is running', { running: { 'team-a': 2 } }, [], 'Running', undefined],
  ['a build has failed', { failedRuns: [run], running: { 'team-a': 1 } }, [], 'Failing', '2026-01-31T10:00:00Z'],
  [
    'a release has failed, too: since the first of them',
    { failedRuns: [run], failedReleases: [release] },
    [],
    'Failing',
    '2026-01-31T09:00:00Z',
  ],
  [
    'a snapshot is held back',
    { heldSnapshots: [snapshot], running: { 'team-a': 1 } },
    [],
    'Held back',
    '2026-01-31T08:00:00Z',
  ],
  ['a part is not known', { failedReleases: undefined }, [], 'Unknown', undefined],
  ['the namespace could not be read', {}, ['team-a'], 'Unknown', undefined],
  [
    'what is known is wrong already',
    { failedRuns: [run], failedReleases: undefined },
    ['team-a'],
    'Failing',
    '2026-01-31T10:00:00Z',
  ],
])('the health of a namespace in which %s', (_, parts, unread, state, since) => {
  expect(healthOf('namespace', ['team-a'], { ...none, ...parts }, (name) => unread.includes(name))).toMatchObject([
    { name: 'team-a', state, since },
  ])
})

it('counts what belongs to each namespace, and puts the worst first', () => {
  const health = healthOf(
    'namespace',
    ['team-c', 'team-b', 'team-a'],
    { ...none, failedRuns: [run], failedReleases: [release], running: { 'team-b': 3 }, lastReleases: [release] },
    () => false,
  )
  expect(health.map(({ name, failing, running }) => [name, failing, running])).toEqual([
    ['team-a', 2, 0],
    ['team-b', 0, 3],
    ['team-c', 0, 0],
  ])
  expect(health.map(({ lastRelease }) => lastRelease)).toEqual([release, undefined, undefined])
})

it('counts what belongs to each application of a namespace, by its label', () => {
  const heldBack = aSnapshot({ metadata: { labels: { [labels.application]: 'ledger' } } })
  const health = healthOf(
    'application',
    ['checkout', 'hotel', 'ledger'],
    { ...none, failedRuns: [aPipelineRun(ofCheckout)], heldSnapshots: [heldBack], running: { hotel: 2 } },
    () => false,
  )
  expect(health.map(({ name, state }) => [name, state])).toEqual([
    ['checkout', 'Failing'],
    ['ledger', 'Held back'],
    ['hotel', 'Running'],
  ])
})

it('says why something is held back, the newest first', () => {
  const failed = aRelease({
    metadata: { name: 'release-2' },
    status: {
      completionTime: '2026-01-31T07:00:00Z',
      conditions: [{ ...condition('Released', 'False', 'Failed'), message: 'The managed pipeline has failed.' }],
    },
  })
  const invalid = aSnapshot({
    metadata: { creationTimestamp: '2026-01-31T08:30:00Z' },
    status: { conditions: [condition('AppStudioIntegrationStatus', 'False', 'Invalid')] },
  })
  expect(heldBackOf([failed, release], [snapshot, invalid]).map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^The release with plan .+ has failed\.$/),
    'The snapshot is not valid.',
    'Required tests have not passed.',
    'The managed pipeline has failed.',
  ])
})

test.each<[string, object, string]>([
  ['a name', {}, 'snapshot-1'],
  ['a commit', { [labels.commitSha]: 'a'.repeat(40) }, 'aaaaaaa'],
])('a snapshot with nothing but %s is called by it', (_, own, title) => {
  expect(snapshotTitle(aSnapshot({ metadata: { name: 'snapshot-1', labels: { ...own } } }))).toBe(title)
})
