import { describe, expect, it, test } from 'vitest'
import { aRelease } from '../testing'
import type { Release } from './release'
import { parseNamespacedName } from '../namespaced-name'
import { type ReleaseRun, releaseRunOf, releaseRuns, releaseRunStatus } from './release-runs'

const released = (status: unknown): Release =>
  // A cluster does not validate all of it, and archives validate nothing.
  ({ ...aRelease(), status }) as Release

test.each([
  ['REL-33 with a namespace', 'managed/run-1', { namespace: 'managed', name: 'run-1' }],
  ['a name only', 'run-1', { namespace: undefined, name: 'run-1' }],
  ['too many parts, as they are', 'a/b/c', { namespace: undefined, name: 'a/b/c' }],
  ['no name', 'managed/', { namespace: undefined, name: 'managed/' }],
  ['no text', '', undefined],
  ['nonsense', { name: 'run-1' }, undefined],
])('reference to a run: %s', (_, value, expected) => expect(parseNamespacedName(value)).toEqual(expected))

describe('runs of a release', () => {
  it('REL-32, REL-45 are those of each of its pipelines, in order', () => {
    const release = released({
      finalProcessing: { pipelineRun: 'team/final-1' },
      managedProcessing: { pipelineRun: 'managed/managed-1', startTime: '2026-01-31T09:00:00Z' },
      tenantProcessing: {
        pipelineRun: 'team/tenant-1',
        startTime: '2026-01-31T08:00:00Z',
        completionTime: '2026-01-31T09:00:00Z',
      },
      collectorsProcessing: {
        managedCollectorsProcessing: { pipelineRun: 'managed/collectors-2' },
        tenantCollectorsProcessing: { pipelineRun: 'team/collectors-1' },
      },
    })
    expect(releaseRuns(release).map((run) => [run.type, run.namespace, run.name, releaseRunStatus(run)])).toEqual([
      ['Tenant Collector', 'team', 'collectors-1', 'Pending'],
      ['Managed Collector', 'managed', 'collectors-2', 'Pending'],
      ['Tenant', 'team', 'tenant-1', 'Completed'],
      ['Managed', 'managed', 'managed-1', 'Running'],
      ['Final', 'team', 'final-1', 'Pending'],
    ])
    expect(releaseRunOf(release, 'Managed')).toMatchObject({ name: 'managed-1' })
    expect(releaseRunOf(released(undefined), 'Managed')).toBeUndefined()
  })

  it('include every attempt of the managed pipeline once', () => {
    const managed = { pipelineRun: 'managed/managed-2', startTime: '2026-01-31T09:00:00Z' }
    const failed = { pipelineRun: 'managed/managed-1', failureReason: 'OOMKill' }
    const release = released({ managedPipelineAttempts: [failed, managed], managedProcessing: managed })
    expect(releaseRuns(release).map(({ name, attempt, failureReason }) => [name, attempt, failureReason])).toEqual([
      ['managed-1', 1, 'OOMKill'],
      ['managed-2', 2, undefined],
    ])
    expect(releaseRunOf(release, 'Managed')).toMatchObject({ name: 'managed-2' })
    const single = released({ managedPipelineAttempts: [managed], managedProcessing: managed })
    expect(releaseRuns(single).map(({ attempt }) => attempt)).toEqual([undefined])
  })

  test.each([
    ['no status', undefined],
    ['an empty status', {}],
    ['pipelines without runs', { managedProcessing: {}, tenantProcessing: { startTime: '2026-01-31T09:00:00Z' } }],
    ['nonsense', { managedProcessing: 'x', managedPipelineAttempts: 7, collectorsProcessing: 'none' }],
    ['nonsense in attempts', { managedPipelineAttempts: ['x', null, { pipelineRun: 7 }] }],
  ])('none for %s', (_, status) => expect(releaseRuns(released(status))).toEqual([]))
})

test.each<[string, Partial<ReleaseRun>, string]>([
  ['RELSTAT-08 a completion time', { completionTime: '2026-01-31T09:00:00Z' }, 'Completed'],
  ['RELSTAT-08 both', { startTime: '2026-01-31T08:00:00Z', completionTime: '2026-01-31T09:00:00Z' }, 'Completed'],
  ['RELSTAT-09 only a start time', { startTime: '2026-01-31T08:00:00Z' }, 'Running'],
  ['RELSTAT-10 neither', {}, 'Pending'],
])('status of a run with %s', (_, times, expected) => {
  const run: ReleaseRun = {
    type: 'Managed',
    namespace: 'managed',
    name: 'run-1',
    startTime: undefined,
    completionTime: undefined,
    ...times,
  }
  expect(releaseRunStatus(run)).toBe(expected)
})
