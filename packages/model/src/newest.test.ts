import { expect, it } from 'vitest'
import { firstOf, lastFirstBy, newestFirst, newestOf } from './newest'

const made = (name: string, second: number, end = '') => ({
  metadata: { name, creationTimestamp: `2026-11-01T09:00:0${second}Z` },
  end,
})
const [a, b, c, d] = [made('a', 1, '3'), made('b', 3), made('c', 3, '2'), made('d', 2, '3')]
const orders = [
  [a, b, c, d],
  [d, c, b, a],
  [c, a, d, b],
]

it.each(orders.map((order) => [order]))('objects of one second have an order, however they come: %#', (all) => {
  expect(all.toSorted(newestFirst)).toEqual([c, b, d, a])
  expect(newestOf(all)).toBe(c)
  expect(all.toSorted(lastFirstBy(({ end }) => end))).toEqual([d, a, c, b])
  expect(
    firstOf(
      all,
      lastFirstBy(({ end }) => end),
    ),
  ).toBe(d)
})

it('there is no newest of nothing, and what has no time is the oldest', () => {
  expect(newestOf([])).toBeUndefined()
  expect(newestOf([{ metadata: { name: 'z' } }, a])).toBe(a)
})
