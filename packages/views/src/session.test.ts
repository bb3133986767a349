import { expect, it } from 'vitest'
import { kinds, testClock, type Thing, Verdicts } from '../test/model'
import { applyFrame, pendingView } from './client'
import type { Frame, Message, ViewQuery } from './frame'
import { behindMessage, mostViews, noMemoryMessage, openSession } from './session'
import type { ShelfSink } from './shelf-sink'
import { createShelves } from './shelves'

const query: ViewQuery = { kind: 'things', namespaces: ['team-a'], limit: 2, sort: 'name' }
const thing = (name: string, version: number, spec: Thing['spec'] = {}): Thing => ({
  metadata: { uid: name, name, namespace: 'team-a', resourceVersion: String(version) },
  spec,
})

function aSession({ isFilled = true, maxBytes = 1_000_000 } = {}) {
  const clock = testClock()
  const verdicts = new Verdicts()
  const sinks: ShelfSink[] = []
  const shelves = createShelves({
    kinds,
    clock,
    maxBytes,
    keepMs: 1_000,
    read(_, __, sink) {
      sinks.push(sink)
      return { close() {} }
    },
  })
  const frames: Frame[] = []
  const state = { isDrained: true }
  const session = openSession({
    kinds,
    shelves,
    clock,
    rights: {
      mayRead: (type, namespace) => verdicts.of('ann', type.plural, namespace),
      onChange(listener) {
        verdicts.listeners('ann').add(listener)
        return () => void verdicts.listeners('ann').delete(listener)
      },
    },
    isDrained: () => state.isDrained,
    send: (frame) => void frames.push(frame),
  })
  verdicts.set('ann', 'things', 'team-a', 'allowed')
  /** The frames since the last call. */
  const sent = () => frames.splice(0)
  const receive = (message: Message) => session.receive(message)
  const list = (...things: Thing[]) => {
    sinks.at(-1)?.beginList()
    sinks.at(-1)?.addPage(things)
    sinks.at(-1)?.endList('10')
  }
  receive({ type: 'open', id: 'view', query })
  if (isFilled) list(thing('a', 1), thing('c', 2), thing('d', 3))
  if (isFilled) sent()
  return { clock, verdicts, sinks, shelves, session, state, sent, receive, list }
}

const names = (frame: Frame | undefined) =>
  frame && 'rows' in frame ? frame.rows.map(({ metadata }) => metadata.name) : undefined

it('what has arrived of a first list is shown within half a second, and all of it as soon as it is complete', () => {
  const { clock, sinks, sent } = aSession({ isFilled: false })
  expect(sent()).toMatchObject([{ type: 'set', rows: [], total: 0, loading: ['team-a'], versions: {} }])
  sinks[0]?.beginList()
  sinks[0]?.addPage([thing('b', 1)])
  clock.advance(499)
  expect(sent()).toEqual([])
  clock.advance(1)
  expect(sent()).toMatchObject([{ type: 'change', total: 1, order: ['b'] }])
  sinks[0]?.addPage([thing('a', 2)])
  sinks[0]?.endList('10')
  expect(sent()).toMatchObject([{ total: 2, order: ['a', 'b'], loading: [], versions: { 'team-a': '10' } }])
})

it('several changes are one frame, half a second after the first, with only the rows that differ', () => {
  const { clock, sinks, sent } = aSession()
  sinks[0]?.apply([{ type: 'ADDED', object: thing('b', 11) }])
  clock.advance(300)
  sinks[0]?.apply([{ type: 'MODIFIED', object: thing('d', 12, { size: 1 }) }])
  clock.advance(200)
  const frames = sent()
  expect(frames).toMatchObject([{ type: 'change', order: ['a', 'b'], total: 4, versions: { 'team-a': '12' } }])
  expect(names(frames[0])).toEqual(['b'])
})

it('a change of what the view does not show sends nothing', () => {
  const { clock, sinks, sent } = aSession()
  sinks[0]?.apply([{ type: 'MODIFIED', object: thing('a', 11, { hidden: 'x' }) }])
  sinks[0]?.apply([{ type: 'MODIFIED', object: thing('d', 12, { size: 1 }) }])
  sinks[0]?.apply([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '20' } } }])
  clock.advance(5_000)
  expect(sent()).toEqual([])
})

it('a slow client gets one window once it has read, whatever happened meanwhile', () => {
  const { clock, sinks, session, state, sent } = aSession()
  state.isDrained = false
  for (let version = 11; version < 100; version++) {
    sinks[0]?.apply([{ type: 'ADDED', object: thing(`b${version}`, version) }])
    clock.advance(1_000)
  }
  expect(sent()).toEqual([])
  state.isDrained = true
  session.drained()
  expect(sent()).toMatchObject([{ type: 'change', order: ['a', 'b11'], total: 92 }])
})

it('a right that is lost empties the view at once, even of a slow client', () => {
  const { verdicts, session, state, sent } = aSession()
  verdicts.set('ann', 'things', 'team-a', 'denied')
  expect(sent()).toMatchObject([{ type: 'set', rows: [], total: 0, denied: ['team-a'], versions: {} }])
  verdicts.set('ann', 'things', 'team-a', 'allowed')
  expect(sent()).toMatchObject([{ type: 'change', order: ['a', 'c'], total: 3, denied: [] }])
  state.isDrained = false
  verdicts.set('ann', 'things', 'team-a', 'unknown')
  expect(sent()).toEqual([{ type: 'denied', id: 'view', denied: [], unknown: ['team-a'] }])
  state.isDrained = true
  session.drained()
  expect(sent()).toMatchObject([{ type: 'set', rows: [], unknown: ['team-a'] }])
})

it('no list is read for a user who may not read it', () => {
  const { sinks, receive, sent } = aSession()
  receive({ type: 'open', id: 'other', query: { ...query, namespaces: ['team-b'] } })
  expect(sent()).toMatchObject([{ id: 'other', unknown: ['team-b'], rows: [] }])
  expect(sinks).toHaveLength(1)
})

it('while the first review is under way the namespace is loading, and its rows are shown once it is allowed', () => {
  const { verdicts, sinks, receive, sent, list } = aSession()
  verdicts.set('ann', 'things', 'team-b', 'pending')
  receive({ type: 'open', id: 'other', query: { ...query, namespaces: ['team-a', 'team-b'] } })
  expect(sent()).toMatchObject([{ id: 'other', loading: ['team-b'], unknown: [], total: 3 }])
  expect(sinks).toHaveLength(1)
  verdicts.set('ann', 'things', 'team-b', 'allowed')
  list({ ...thing('b', 1), metadata: { ...thing('b', 1).metadata, namespace: 'team-b' } })
  expect(sent().at(-1)).toMatchObject({ id: 'other', loading: [], order: ['a', 'b'], total: 4 })
})

it('a window waits for the version that it has to reach, and answers as soon as it has', () => {
  const { clock, sinks, receive, sent } = aSession()
  receive({ type: 'change', id: 'view', atLeast: { 'team-a': '12' } })
  sinks[0]?.apply([{ type: 'ADDED', object: thing('b', 11) }])
  clock.advance(2_000)
  expect(sent()).toEqual([])
  sinks[0]?.apply([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '12' } } }])
  expect(sent()).toMatchObject([{ order: ['a', 'b'], versions: { 'team-a': '12' }, floors: { 'team-a': '11' } }])
})

it('a version that is not reached within three seconds is said to be missing, and since when', () => {
  const { clock, sinks, receive, sent } = aSession()
  const sinceMs = clock.now()
  clock.advance(60_000)
  receive({ type: 'change', id: 'view', atLeast: { 'team-a': '12' } })
  clock.advance(2_999)
  expect(sent()).toEqual([])
  clock.advance(1)
  expect(sent()).toMatchObject([{ type: 'change', rows: [], stale: { 'team-a': { sinceMs, why: behindMessage } } }])
  sinks[0]?.apply([{ type: 'ADDED', object: thing('b', 12) }])
  clock.advance(500)
  expect(sent()).toMatchObject([{ order: ['a', 'b'], stale: {} }])
})

it('a source that is out of reach is named with the time at which it was last up to date', () => {
  const { clock, sinks, list, sent } = aSession()
  const sinceMs = clock.now()
  clock.advance(10_000)
  sinks[0]?.setStale('The connection was lost.')
  clock.advance(10_000)
  sinks[0]?.setStale('The cluster does not respond.')
  clock.advance(500)
  const [first, second] = sent()
  expect(first).toMatchObject({ stale: { 'team-a': { sinceMs, why: 'The connection was lost.' } } })
  expect(second).toMatchObject({ stale: { 'team-a': { sinceMs, why: 'The cluster does not respond.' } } })
  list(thing('a', 1), thing('c', 2), thing('d', 3))
  clock.advance(500)
  expect(sent()).toMatchObject([{ rows: [], stale: {} }])
})

it('a view whose list is too large says so, and another query reads it again', () => {
  const { sinks, clock, receive, sent } = aSession({ maxBytes: 20_000 })
  sinks[0]?.apply([{ type: 'ADDED', object: thing('b', 11, { state: 'x'.repeat(30_000) }) }])
  clock.advance(500)
  expect(sent()).toMatchObject([{ order: [], total: 0, stale: { 'team-a': { why: noMemoryMessage } } }])
  receive({ type: 'change', id: 'view', query })
  expect(sinks).toHaveLength(2)
  expect(sent()).toMatchObject([{ type: 'set', loading: ['team-a'], stale: {} }])
})

it('another query of a view replaces its window', () => {
  const { receive, sent } = aSession()
  receive({ type: 'change', id: 'view', query: { ...query, sort: '-name', offset: 1 } })
  const frames = sent()
  expect(frames).toMatchObject([{ type: 'set', offset: 1, total: 3 }])
  expect(names(frames[0])).toEqual(['c', 'a'])
})

it('what is not valid is rejected, and changes nothing', () => {
  const { session, receive, sent } = aSession()
  session.receive('nonsense')
  receive({ type: 'change', id: 'none', query })
  receive({ type: 'change', id: 'view', query: { ...query, limit: 0 } })
  expect(sent().map(({ type, id }) => [type, id])).toEqual([
    ['rejected', ''],
    ['rejected', 'none'],
    ['rejected', 'view'],
  ])
  for (let view = 1; view < mostViews; view++) receive({ type: 'open', id: String(view), query })
  expect(sent().some(({ type }) => type === 'rejected')).toBe(false)
  receive({ type: 'open', id: 'one too many', query })
  expect(sent()).toMatchObject([{ type: 'rejected', id: 'one too many' }])
})

it('a closed view and a closed session send nothing more, and use no shelf', () => {
  const { clock, sinks, shelves, session, receive, verdicts, sent } = aSession()
  receive({ type: 'open', id: 'other', query })
  receive({ type: 'close', id: 'view' })
  sinks[0]?.apply([{ type: 'ADDED', object: thing('b', 11) }])
  session.close()
  sent()
  clock.advance(1_000)
  verdicts.set('ann', 'things', 'team-a', 'denied')
  expect([sent(), shelves.count]).toEqual([[], 0])
})

it('a client keeps the rows that did not change', () => {
  const { clock, sinks, receive, sent } = aSession()
  receive({ type: 'change', id: 'view', query })
  const [set] = sent()
  const before = set && applyFrame(pendingView, set)
  sinks[0]?.apply([{ type: 'ADDED', object: thing('b', 11) }])
  clock.advance(500)
  const [change] = sent()
  const after = before && change && applyFrame(before, change)
  expect(after?.rows.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect(after?.rows[0]).toBe(before?.rows[0])
})
