import { expect, it } from 'vitest'
import { CompactedError, type Storage } from '../../storage/storage'
import { memoryStorage } from '../../storage/memory'
import { createChangeLog } from './change-log'

const collection = '/configmaps'
const textOf = (name: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: 'x'.repeat(1_000) })

/** A log with room for a few changes, and the number of reads of its storage. */
function open(maxBytes: number) {
  const storage: Storage = memoryStorage()
  const log = createChangeLog(storage, maxBytes)
  storage.subscribe((change) => void log.append(change))
  const since = storage.since.bind(storage)
  let reads = 0
  storage.since = (...args) => {
    reads++
    return since(...args)
  }
  const write = (key: string) =>
    storage.write({
      collection,
      key,
      expected: storage.get(collection, key)?.revision,
      type: 'put',
      value: textOf(key),
    })
  return { storage, log, write, readsOf: (run: () => void) => ((reads = 0), run(), reads) }
}

it('a log retains the last changes up to its size, and reads older ones from the storage', async () => {
  const { log, write, readsOf } = open(10_000)
  for (let index = 0; index < 20; index++) await write(`n/${index}`)
  const revisionsAfter = (revision: number) =>
    [...log.read(revision, { collection }).entries].map((each) => each.revision)
  expect(readsOf(() => expect(revisionsAfter(18)).toEqual([19, 20]))).toBe(0)
  expect(readsOf(() => expect(revisionsAfter(0)[0]).toBe(1))).toBe(1)
})

it('a log retains the newest change, however large it is', async () => {
  const { log, write, readsOf } = open(1)
  await write('n/a')
  await write('n/a')
  expect(readsOf(() => expect([...log.read(1, { collection }).entries]).toHaveLength(1))).toBe(0)
})

it('a log returns the changes of a range, to its end', async () => {
  const { log, write } = open(1e6)
  for (const key of ['a/x', 'a-b/x', 'a/y', 'a/x']) await write(key)
  const keysIn = (range: object) => {
    const { entries, upTo } = log.read(0, { collection, ...range })
    return { keys: [...entries].map(({ key }) => key), upTo }
  }
  expect(keysIn({ prefix: 'a/' })).toEqual({ keys: ['a/x', 'a/y', 'a/x'], upTo: 4 })
  expect(keysIn({ key: 'a/x' })).toEqual({ keys: ['a/x', 'a/x'], upTo: 4 })
  expect(keysIn({ key: 'a/z' })).toEqual({ keys: [], upTo: 4 })
})

it('a log finds the changes of one object or kind without examining those of others', async () => {
  const { storage, log, write } = open(1e7)
  await write('a/x')
  for (let index = 0; index < 1_500; index++) await write(`b/${index}`)
  await storage.write({ collection: '/secrets', key: 'a/x', expected: undefined, type: 'put', value: textOf('x') })
  const revisionsOf = (range: { collection: string; key?: string }) => {
    const { entries, upTo } = log.read(0, range)
    return { revisions: [...entries].map(({ revision }) => revision), upTo }
  }
  expect(revisionsOf({ collection, key: 'a/x' })).toEqual({ revisions: [1], upTo: 1_502 })
  expect(revisionsOf({ collection: '/secrets' })).toEqual({ revisions: [1_502], upTo: 1_502 })
  const { revisions, upTo } = revisionsOf({ collection })
  expect({ first: revisions[0], last: revisions.at(-1) }).toEqual({ first: 1, last: upTo })
})

it('a log does not retain the texts before changes', async () => {
  const { log, write, readsOf } = open(40_000)
  for (let count = 0; count < 20; count++) await write('n/a')
  expect(readsOf(() => expect([...log.read(1, { collection }).entries]).toHaveLength(19))).toBe(0)
})

it('a log drops the oldest changes of each object as new ones are appended', async () => {
  const { log, write, readsOf } = open(10_000)
  for (let count = 0; count < 100; count++) await write(count % 2 === 0 ? 'n/a' : 'n/b')
  const range = { collection, key: 'n/a' }
  expect(readsOf(() => expect([...log.read(96, range).entries].map((each) => each.revision)).toEqual([97, 99]))).toBe(0)
  expect(readsOf(() => expect([...log.read(0, range).entries][0]?.revision).toBe(1))).toBe(1)
})

it('a log cannot go back before a compaction, although it still has the changes', async () => {
  const { storage, log, write } = open(1e6)
  for (const key of ['a/x', 'a/y', 'a/z']) await write(key)
  storage.compact(2)
  expect(() => log.read(1, { collection })).toThrow(CompactedError)
  expect([...log.read(2, { collection }).entries].map(({ key }) => key)).toEqual(['a/z'])
})

it('a log knows no change before it is appended, even if the storage has it', async () => {
  const storage = memoryStorage()
  const log = createChangeLog(storage, 0)
  const changes = []
  for (const key of ['a/x', 'a/y', 'a/z']) {
    await storage.write({ collection, key, expected: undefined, type: 'put', value: textOf(key) })
  }
  changes.push(...storage.since(0).changes)
  for (const change of changes.slice(0, 2)) log.append(change)
  const { entries, upTo } = log.read(0, { collection })
  expect({ keys: [...entries].map(({ key }) => key), upTo }).toEqual({ keys: ['a/x', 'a/y'], upTo: 2 })
})
