import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import type { KubeList, KubeObject } from './object'
import { applyWatchEvents, isKnownEvent, parseWatchEvent, type WatchEvent } from './watch-event'

const anObject = (uid: string, resourceVersion: string, name = uid): KubeObject => ({
  metadata: { name, uid, resourceVersion },
})
const a = anObject('a', '1')
const b = anObject('b', '2')
const list: KubeList = { metadata: { resourceVersion: '2' }, items: [a, b] }

it('LIVE-16 ADDED appends the object to the list', () => {
  const c = anObject('c', '3')
  const next = applyWatchEvents(list, [{ type: 'ADDED', object: c }])
  expect(next.items).toEqual([a, b, c])
  expect(next.metadata.resourceVersion).toBe('3')
})

it('LIVE-17 MODIFIED replaces the object in place and keeps the identity of the others', () => {
  const changed = anObject('a', '3')
  const next = applyWatchEvents(list, [{ type: 'MODIFIED', object: changed }])
  expect(next.items[0]).toBe(changed)
  expect(next.items[1]).toBe(b)
})

it('LIVE-17 MODIFIED adds an unknown object', () => {
  expect(applyWatchEvents(list, [{ type: 'MODIFIED', object: anObject('c', '3') }]).items).toHaveLength(3)
})

it('ADDED updates a known object', () => {
  const again = anObject('a', '3')
  expect(applyWatchEvents(list, [{ type: 'ADDED', object: again }]).items).toEqual([again, b])
})

it('LIVE-18 DELETED removes the object', () => {
  expect(applyWatchEvents(list, [{ type: 'DELETED', object: anObject('a', '3') }]).items).toEqual([b])
})

it('DELETED of an unknown object changes nothing', () => {
  expect(applyWatchEvents(list, [{ type: 'DELETED', object: anObject('c', '3') }]).items).toEqual([a, b])
})

it('a new object of the same name is a different object', () => {
  const reborn = anObject('a2', '4', 'a')
  const events: WatchEvent[] = [
    { type: 'ADDED', object: reborn },
    { type: 'DELETED', object: anObject('a', '3') },
  ]
  expect(applyWatchEvents(list, events).items).toEqual([b, reborn])
})

it('BOOKMARK changes only the version', () => {
  const next = applyWatchEvents(list, [{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } }])
  expect(next.metadata.resourceVersion).toBe('9')
  expect(next.items).toBe(list.items)
})

it('returns the list itself when there is nothing to apply', () => {
  expect(applyWatchEvents(list, [])).toBe(list)
  const status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure' } as const
  expect(applyWatchEvents(list, [{ type: 'ERROR', object: status }])).toBe(list)
})

it('events give the same objects whether applied together, one by one or repeatedly', () => {
  const event = fc.record({
    type: fc.constantFrom('ADDED' as const, 'MODIFIED' as const, 'DELETED' as const),
    uid: fc.constantFrom('a', 'b', 'c', 'd'),
  })
  const byUid = (list: KubeList) => Object.fromEntries(list.items.map((item) => [item.metadata.uid, item]))
  fc.assert(
    fc.property(fc.array(event), (changes) => {
      const events = changes.map(({ type, uid }, n): WatchEvent => ({ type, object: anObject(uid, String(n + 3)) }))
      const known = new Map(list.items.map((item) => [item.metadata.uid ?? '', item]))
      for (const [n, { type, uid }] of changes.entries()) {
        if (type === 'DELETED') known.delete(uid)
        else known.set(uid, anObject(uid, String(n + 3)))
      }
      const atOnce = applyWatchEvents(list, events)
      expect(byUid(atOnce)).toEqual(Object.fromEntries(known))
      expect(byUid(events.reduce((list, event) => applyWatchEvents(list, [event]), list))).toEqual(byUid(atOnce))
      expect(byUid(applyWatchEvents(atOnce, events))).toEqual(byUid(atOnce))
    }),
  )
})

test.each([
  '',
  'no json',
  'null',
  '[]',
  '7',
  '{}',
  '{"type":7}',
  '{"type":"ADDED"}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED","object":{}}',
  '{"type":"ADDED","object":{"metadata":7}}',
  '{"type":"ERROR","object":{}}',
])('does not parse %j as an event', (text) => expect(parseWatchEvent(text)).toBeUndefined())

test.each([
  ['{"type":"ADDED","object":{"metadata":{"name":"a"}}}', true],
  ['{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}', true],
  ['{"type":"ERROR","object":{"kind":"Status","code":410}}', true],
  ['{"type":"RENAMED"}', false],
])('parses %s, whose type is known: %s', (text, isKnown) => {
  const event = parseWatchEvent(text)
  expect(event).toEqual(JSON.parse(text))
  expect(event && isKnownEvent(event)).toBe(isKnown)
})
