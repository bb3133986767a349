import { expect, it } from 'vitest'
import { groupBy, newestBy } from './grouping'

it('groups keep the order of their values, and values without a key are in none', () => {
  const groups = groupBy(['b1', 'a1', '', 'b2'], (text) => text[0])
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ])
})

it('the newest of each key is found in any order', () => {
  const object = (name: string, day: number) => ({
    metadata: { name, creationTimestamp: `2026-11-0${day}T09:00:00Z` },
  })
  const all = [object('a1', 1), object('a3', 3), object('a2', 2), object('b1', 1), object('b1-too', 1), object('', 4)]
  for (const objects of [all, all.toReversed()]) {
    const newest = newestBy(objects, ({ metadata }) => metadata.name[0])
    expect(new Map([...newest].map(([key, { metadata }]) => [key, metadata.name]))).toEqual(
      new Map([
        ['a', 'a3'],
        ['b', 'b1-too'],
      ]),
    )
  }
})
