import { nameOf } from '@slipway/kube/object'
import { expect, it } from 'vitest'
import { kinds, testClock, type Thing } from '../test/model'
import { mostReads } from './grouped-shelf'
import type { ShelfSink } from './shelf-sink'
import { createShelves } from './shelves'
import type { ViewKind } from './view-kind'

const [things, , stateOfThings] = kinds
const keepMs = 300_000
const thing = (name: string, namespace: string, size = 10, resourceVersion = '1'): Thing => ({
  metadata: { uid: `${namespace}-${name}`, name, namespace, resourceVersion },
  spec: { state: 'x'.repeat(size) },
})

function someShelves(maxBytes = 1_000_000) {
  const clock = testClock()
  const opened: string[] = []
  const closed: string[] = []
  const sinks = new Map<string, ShelfSink>()
  const shelves = createShelves({
    kinds,
    clock,
    maxBytes,
    keepMs,
    read(_, namespace, sink) {
      opened.push(namespace)
      sinks.set(namespace, sink)
      return { close: () => void closed.push(namespace) }
    },
  })
  let version = 1
  const fill = (namespace: string, size: number) => {
    const object = thing('a', namespace, size)
    object.metadata.resourceVersion = String(++version)
    sinks.get(namespace)?.beginList()
    sinks.get(namespace)?.addPage([object])
    sinks.get(namespace)?.endList(String(version))
  }
  const use = (namespace: string, listener = () => {}, kind = things) => {
    if (!kind) throw new Error('There are kinds.')
    return shelves.use(kind, namespace, listener)
  }
  return { shelves, clock, opened, closed, sinks, fill, use }
}

it('a shelf is opened on its first use, shared, and closed some time after its last', () => {
  const { shelves, clock, opened, closed, use } = someShelves()
  const [first, second] = [use('team-a'), use('team-a')]
  expect([opened, first.shelf === second.shelf]).toEqual([['team-a'], true])
  first.release()
  first.release()
  clock.advance(keepMs)
  expect(closed).toEqual([])
  second.release()
  clock.advance(keepMs - 1)
  use('team-a').release()
  clock.advance(keepMs - 1)
  expect([opened, closed, shelves.count]).toEqual([['team-a'], [], 1])
  clock.advance(1)
  expect([opened, closed, shelves.count]).toEqual([['team-a'], ['team-a'], 0])
})

it('beyond the memory, the shelf that was unused for longest is dropped, and one in use only if that is not enough', () => {
  const { shelves, fill, use, closed } = someShelves(30_000)
  const dropped: string[] = []
  const a = use('team-a', () => void (a.isDropped && dropped.push('team-a')))
  for (const namespace of ['team-b', 'team-c']) use(namespace).release()
  for (const namespace of ['team-a', 'team-b', 'team-c']) fill(namespace, 2_000)
  expect(closed).toEqual([])
  use('team-b').release()
  use('team-d')
  fill('team-d', 4_000)
  expect([closed, a.isDropped]).toEqual([['team-c'], false])
  fill('team-d', 9_000)
  expect([dropped, closed]).toEqual([['team-a'], ['team-c', 'team-b', 'team-a']])
  expect(shelves.bytes).toBeLessThan(30_000)
})

it('a shelf that alone is too large is dropped, and what its reader still reports has no effect', () => {
  const { shelves, sinks, use, closed } = someShelves(10_000)
  const lease = use('team-a')
  sinks.get('team-a')?.beginList()
  sinks.get('team-a')?.addPage([thing('a', 'team-a', 20_000)])
  expect([lease.isDropped, closed, shelves.bytes, shelves.count]).toEqual([true, ['team-a'], 0, 0])
  sinks.get('team-a')?.addPage([thing('b', 'team-a')])
  sinks.get('team-a')?.endList('1')
  sinks.get('team-a')?.setStale('gone')
  expect([shelves.bytes, lease.shelf.stale]).toEqual([0, undefined])
  expect(use('team-a').isDropped).toBe(false)
})

it('memory is returned with the rows', () => {
  const { shelves, sinks, use } = someShelves()
  use('team-a')
  const sink = sinks.get('team-a')
  sink?.beginList()
  sink?.endList('1')
  const empty = shelves.bytes
  const many = Array.from({ length: 200 }, (_, at) => thing(`a${at}`, 'team-a', at))
  sink?.apply(many.map((object) => ({ type: 'ADDED', object })))
  expect(shelves.bytes).toBeGreaterThan(empty + 200 * 200)
  sink?.apply(many.map((object) => ({ type: 'DELETED', object })))
  expect(shelves.bytes).toBe(empty)
})

it('a derived kind is not read again, and its shelf goes with the one that it is made of', () => {
  const { shelves, clock, opened, closed, fill, use } = someShelves(30_000)
  const states: string[] = []
  const listener = () =>
    void states.push(derived.isDropped ? 'dropped' : `${derived.shelf.version}: ${derived.shelf.size}`)
  use('team-a').release()
  const derived = use('team-a', listener, stateOfThings)
  clock.advance(keepMs)
  fill('team-a', 10)
  expect([opened, closed, states, shelves.count]).toEqual([['team-a'], [], ['undefined: 1', '2: 1'], 2])
  fill('team-a', 20_000)
  expect([closed, states.at(-1), shelves.count]).toEqual([['team-a'], 'dropped', 0])
  const again = use('team-a', () => {}, stateOfThings)
  expect([opened.length, again.isDropped]).toEqual([2, false])
  again.release()
  clock.advance(2 * keepMs)
  expect([closed.length, shelves.count]).toEqual([2, 0])
})

it('rows of a derived kind are made in parts, and are loading until all of them are there', () => {
  if (!things || !stateOfThings) throw new Error('There are kinds.')
  const { clock, sinks, use } = someShelves(Infinity)
  let reads = 0
  const trios: ViewKind<Thing> = {
    ...stateOfThings,
    groups: {
      kind: things,
      keyOf: (object) => (reads++, nameOf(object).slice(0, -1)),
      rowOf(members) {
        reads += members.length
        return { metadata: { name: members.map(nameOf).join() }, spec: { size: members.length } }
      },
    },
  }
  const groupCount = 1_000
  use('team-a')
  const sink = sinks.get('team-a')
  sink?.beginList()
  for (const member of ['a', 'b', 'c']) {
    sink?.addPage(Array.from({ length: groupCount }, (_, at) => thing(`${at}-${member}`, 'team-a')))
  }
  sink?.endList('5')

  const parts: { reads: number; version: string | undefined; size: number }[] = []
  const record = () => {
    const { version, size } = derived.shelf
    parts.push({ reads, version, size })
    reads = 0
  }
  const derived = use('team-a', record, trios)
  record()
  // An event in between.
  sink?.apply([{ type: 'DELETED', object: thing('7-a', 'team-a', 10, '6') }])
  clock.advance(0)
  expect(Math.max(...parts.map((part) => part.reads))).toBeLessThanOrEqual(mostReads + 3)
  const last = parts.pop()
  expect(last).toMatchObject({ version: '6', size: groupCount })
  expect(new Set(parts.map(({ version }) => version))).toEqual(new Set([undefined]))
  const rowOf = (uid: string) => derived.shelf.rowOf(derived.shelf.texts[derived.shelf.slotOf(uid) ?? -1] ?? '')
  expect([rowOf('team-a/7-'), rowOf('team-a/8-')]).toMatchObject([{ spec: { size: 2 } }, { spec: { size: 3 } }])

  sink?.apply([{ type: 'ADDED', object: thing('7-d', 'team-a', 10, '7') }])
  expect([derived.shelf.version, rowOf('team-a/7-')]).toMatchObject(['7', { spec: { size: 3 } }])
})
