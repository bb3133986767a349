import { namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { expect, it } from 'vitest'
import { areTestsFinished } from '../controllers/snapshot-tests'
import { hasSucceeded } from '../integration/build-facts'
import { keyedRandom } from '../keyed-random'
import { large } from './large'
import type { ScenarioContext } from './scenario'

const context: ScenarioContext = {
  nowMs: Date.UTC(2026, 0, 31, 9),
  world: { random: (key) => keyedRandom('test', key), scale: (realMs) => realMs },
  users: {
    admin: 'admin@slipway.test',
    maintainer: 'maintainer@slipway.test',
    contributor: 'contributor@slipway.test',
    outsider: 'outsider@slipway.test',
  },
  gitHostUrl: 'http://127.0.0.1:8083',
  consoleUrl: 'http://127.0.0.1:8080',
}

it('large has the documented number of objects in one namespace, and half of its runs only in the archive', () => {
  const counts = new Map<string, number>()
  // The annotation that controllers would otherwise add.
  const snapshotPath = [labels.snapshot]
  const names = new Set<string>()
  let position = 0
  let undatedUntil = 0
  for (const { type, object } of large.seeds(context)) {
    position++
    if (type.kind === 'PipelineRun' && hasSucceeded(object as PipelineRun))
      expect(object.metadata.annotations).toHaveProperty(snapshotPath)
    if (type.kind === 'Snapshot') expect(areTestsFinished(object as Snapshot)).toBe(true)
    if (!object.metadata.creationTimestamp) undatedUntil = position
    names.add(`${type.kind} ${namespaceOf(object) ?? ''}/${object.metadata.name ?? ''}`)
    if (namespaceOf(object) === 'team-large') counts.set(type.kind, (counts.get(type.kind) ?? 0) + 1)
  }
  expect(Object.fromEntries(counts)).toMatchObject({
    Application: 100,
    Component: 500,
    PipelineRun: 5_000,
    Snapshot: 2_000,
    Release: 1_000,
  })
  // All names are unique.
  expect(names.size).toBe(position)
  // It is written in portions; the first contains all objects without a creation time.
  expect(undatedUntil).toBeLessThan(large.seedsAtOnce ?? 0)

  const archived = new Set<string>()
  for (const { objects } of large.archived?.(context) ?? []) {
    for (const { kind, metadata } of objects)
      archived.add(`${kind ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
  }
  expect([archived.size, [...archived].filter((name) => names.has(name))]).toEqual([5_000, []])
})
