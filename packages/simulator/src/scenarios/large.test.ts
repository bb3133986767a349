import { namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { Snapshot } from '@slipway/model/supply-chain/snapshot'
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

it('is as large as it says, half of its runs in the archive only, in one namespace', () => {
  const counts = new Map<string, number>()
  // What the cluster would do with them by itself has been done.
  const made = [labels.snapshot]
  const names = new Set<string>()
  let position = 0
  let undatedUntil = 0
  for (const { type, object } of large.seeds(context)) {
    position++
    if (type.kind === 'PipelineRun' && hasSucceeded(object as PipelineRun))
      expect(object.metadata.annotations).toHaveProperty(made)
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
  // Nothing takes the place of anything else.
  expect(names.size).toBe(position)
  // It is written in portions, of which the first has all that was there before everything else.
  expect(undatedUntil).toBeLessThan(large.seedsAtOnce ?? 0)

  const archived = new Set<string>()
  for (const { objects } of large.archived?.(context) ?? []) {
    for (const { kind, metadata } of objects)
      archived.add(`${kind ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
  }
  expect([archived.size, [...archived].filter((name) => names.has(name))]).toEqual([5_000, []])
})
