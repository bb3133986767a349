import { manualClock } from '@slipway/kube/testing'
import { expect, it } from 'vitest'
import { kinds, type Thing } from '../test/model'
import { createShelf } from './shelf'

const thing = (name: string, version: number, size = 1): Thing => ({
  metadata: { uid: name, name, namespace: 'team-a', resourceVersion: String(version) },
  spec: { size },
})

function aShelf() {
  const [kind] = kinds
  if (!kind) throw new Error('There are kinds.')
  return createShelf({ kind, namespace: 'team-a', clock: manualClock(), onChange() {} })
}

const rowsOf = (shelf: ReturnType<typeof aShelf>) =>
  [...shelf.texts].map((text) => shelf.rowOf(text) as Thing).map(({ metadata, spec }) => `${metadata.name}${spec.size}`)

it('a list that breaks off shows nothing but what was known, and the next one starts from the beginning', () => {
  const shelf = aShelf()
  shelf.beginList()
  shelf.addPage([thing('a', 1), thing('b', 2)])
  expect([rowsOf(shelf), shelf.version]).toEqual([['a1', 'b1'], undefined])
  shelf.beginList()
  shelf.addPage([thing('b', 2), thing('c', 3)])
  shelf.endList('3')
  expect([rowsOf(shelf).sort(), shelf.version, shelf.floor]).toEqual([['b1', 'c1'], '3', '3'])
  shelf.beginList()
  shelf.addPage([thing('b', 4, 2), thing('d', 5)])
  shelf.beginList()
  shelf.addPage([thing('b', 4, 2)])
  expect([rowsOf(shelf).sort(), shelf.version]).toEqual([['b1', 'c1'], '3'])
  shelf.endList('6')
  expect([rowsOf(shelf), shelf.version, shelf.floor]).toEqual([['b2'], '6', '4'])
})

it('an object that is created again under its name is another row', () => {
  const shelf = aShelf()
  shelf.beginList()
  shelf.addPage([thing('a', 1)])
  shelf.endList('1')
  const again = thing('a', 3, 2)
  again.metadata.uid = 'another'
  shelf.apply([
    { type: 'DELETED', object: thing('a', 2) },
    { type: 'ADDED', object: again },
  ])
  expect([rowsOf(shelf), shelf.slotOf('a'), shelf.slotOf('another'), shelf.version]).toEqual([
    ['a2'],
    undefined,
    0,
    '3',
  ])
})

it('a kind that is watched in two groups has reached only what both have', () => {
  const shelf = aShelf()
  shelf.beginList()
  shelf.endList('10')
  shelf.apply([{ type: 'ADDED', object: thing('a', 20) }], '10')
  expect([shelf.version, shelf.floor, shelf.hasSeen('15')]).toEqual(['10', '20', false])
  shelf.apply([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '16' } } }], '16')
  expect([shelf.version, shelf.hasSeen('15')]).toEqual(['16', true])
})

it('a reader that mixes up lists and events fails', () => {
  const shelf = aShelf()
  expect(() => shelf.addPage([])).toThrow('without the beginning')
  expect(() => shelf.endList('1')).toThrow('without its beginning')
  shelf.beginList()
  expect(() => shelf.apply([])).toThrow('during a list')
})
