import { expect, it } from 'vitest'
import { aRelease } from '../testing'
import { lastReleasesBySnapshot } from './last-releases'

it('the last release of a snapshot is the newest, in any order', () => {
  const release = (name: string, snapshot: string, day: number) =>
    aRelease({ metadata: { name, creationTimestamp: `2026-11-0${day}T09:00:00Z` }, spec: { snapshot } })
  const all = [release('a1', 'a', 1), release('a3', 'a', 3), release('a2', 'a', 2), release('b1', 'b', 1)]
  const names = [...lastReleasesBySnapshot(all)].map(([snapshot, { metadata }]) => [snapshot, metadata.name])
  expect(Object.fromEntries(names)).toEqual({ a: 'a3', b: 'b1' })
})
