import { describe, expect, it, vi } from 'vitest'
import { changesOf, type Sorted, sortIncrementally } from './incremental-sort'

interface Ship {
  name: string
  built: number
}
const ship = (name: string, built: number): Ship => ({ name, built })

describe('the changes of a list', () => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => ship(name, 0)) as [Ship, Ship, Ship, Ship, Ship]
  it.each<[string, Ship[], Ship[], Ship[], Ship[]]>([
    ['nothing', [a, b], [a, b], [], []],
    ['one added', [a, b], [a, b, c], [], [c]],
    ['one added before the others', [b, c], [a, b, c], [], [a]],
    ['one removed', [a, b, c], [a, c], [b], []],
    ['one in place of another', [a, b, c], [a, d, c], [b], [d]],
    ['two in place of others, far apart', [a, b, c], [d, b, e], [a, c], [d, e]],
    ['another order', [a, b, c], [c, a, b], [], []],
    ['one removed and one added', [a, b, c], [b, c, d], [a], [d]],
    ['all removed', [a, b], [], [a, b], []],
    ['all added', [], [a, b], [], [a, b]],
  ])('%s', (_, before, after, gone, fresh) => {
    const changes = changesOf(before, after)
    expect([...changes.gone]).toEqual(gone)
    expect(changes.fresh).toEqual(fresh)
  })
})

describe('a list that is sorted repeatedly', () => {
  function scene() {
    const valueOf = vi.fn(({ built }: Ship) => built)
    let sorted: Sorted<Ship, number> | undefined
    const sort = (rows: Ship[]) => {
      const order = { idOf: ({ name }: Ship) => name, valueOf, compare: (a: number, b: number) => a - b }
      sorted = sortIncrementally(rows, order, sorted)
      return sorted.rows
    }
    return { valueOf, names: (rows: Ship[]) => sort(rows).map(({ name }) => name), sort }
  }
  const fleet = [ship('Ebba', 3), ship('Aurora', 1), ship('Vega', 2), ship('Brahe', 2)]

  it('is sorted, with equal rows in their original order', () => {
    expect(scene().names(fleet)).toEqual(['Aurora', 'Vega', 'Brahe', 'Ebba'])
  })

  it('reads only a changed row, and moves it', () => {
    const { valueOf, names } = scene()
    names(fleet)
    valueOf.mockClear()
    expect(names(fleet.with(0, ship('Ebba', 0)))).toEqual(['Ebba', 'Aurora', 'Vega', 'Brahe'])
    expect(valueOf).toHaveBeenCalledTimes(1)
  })

  it('keeps the position of a row that is replaced by an equal one', () => {
    const { names, sort } = scene()
    names(fleet)
    const vega = ship('Vega', 2)
    expect(names(fleet.with(2, vega))).toEqual(['Aurora', 'Vega', 'Brahe', 'Ebba'])
    expect(sort(fleet.with(2, vega))[1]).toBe(vega)
  })

  it('is the same array if nothing has changed', () => {
    const { sort } = scene()
    const sorted = sort(fleet)
    expect(sort([...fleet])).toBe(sorted)
  })

  it('does not modify earlier results', () => {
    const order = {
      idOf: ({ name }: Ship) => name,
      valueOf: ({ built }: Ship) => built,
      compare: (a: number, b: number) => a - b,
    }
    const before = sortIncrementally(fleet, order)
    const copy = structuredClone(before)
    sortIncrementally([...fleet.with(0, ship('Ebba', 0)), ship('Orion', 2)], order, before)
    expect(before).toEqual(copy)
  })

  it('equals a full sort after any sequence of changes', () => {
    const { sort } = scene()
    // Reproducible pseudo-random numbers, all different, so that there is only one order.
    let seed = 7
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below
    let count = 0
    let rows: Ship[] = []
    const next = (name: string) => ship(name, random(1_000) * 1_000 + count++)
    for (let round = 0; round < 500; round++) {
      for (let change = random(4); change >= 0; change--) {
        const at = random(rows.length + 1)
        const action = random(4)
        if (action === 0) rows = rows.toSpliced(at, 1)
        else if (action === 1 && rows[at]) rows = rows.with(at, next(rows[at].name))
        else rows = [...rows, next(`ship-${round}-${change}`)]
      }
      expect(sort(rows)).toEqual(rows.toSorted((a, b) => a.built - b.built))
    }
  })
})
