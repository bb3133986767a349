import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { logChunkBytes, type LogChunk } from '../src/storage/logs'
import { CompactedError, WriteConflict, type Change, type ChangeRange, type Storage } from '../src/storage/storage'

/** Behaviour that every storage implementation shares. */
export function storageContract(open: (options: { historyLength: number; historyBytes?: number }) => Storage): void {
  let storage: Storage
  beforeEach(() => {
    storage = open({ historyLength: 100 })
  })
  afterEach(() => storage.close())

  const put = (key: string, value: string, expected?: number, collection = '/pods') =>
    storage.write({ collection, key, expected, type: 'put', value })
  const drop = (key: string, expected: number, value = 'last') =>
    storage.write({ collection: '/pods', key, expected, type: 'delete', value })
  const keys = (range = {}) => storage.list('/pods', range).map(({ key }) => key)

  it('starts empty, at revision 0', () => {
    expect(storage.revision()).toBe(0)
    expect(storage.get('/pods', 'a/x')).toBeUndefined()
    expect(storage.list('/pods')).toEqual([])
    expect(storage.collections()).toEqual([])
  })

  it('gives every write the next revision, whatever its collection', async () => {
    expect(await put('a/x', '1')).toBe(1)
    expect(await put('/n', '1', undefined, '/namespaces')).toBe(2)
    expect(await put('a/x', '2', 1)).toBe(3)
    expect(await drop('a/x', 3)).toBe(4)
    expect(storage.revision()).toBe(4)
    expect(storage.collections()).toEqual(['/namespaces'])
  })

  it('writes only if the key is at the expected revision', async () => {
    await put('a/x', '1')
    await expect(put('a/x', 'again')).rejects.toThrow(WriteConflict)
    await expect(put('a/x', 'stale', 7)).rejects.toMatchObject({ actual: 1 })
    await expect(put('a/y', 'none', 1)).rejects.toMatchObject({ actual: undefined })
    await expect(drop('a/y', 1)).rejects.toThrow(WriteConflict)
    expect(storage.get('/pods', 'a/x')).toEqual({ key: 'a/x', revision: 1, value: '1' })
    expect(storage.revision()).toBe(1)
  })

  it('accepts one of several concurrent writes at the same revision', async () => {
    await put('a/x', '0')
    const results = await Promise.allSettled(['1', '2', '3'].map((value) => put('a/x', value, 1)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(storage.revision()).toBe(2)
  })

  it('can recreate a deleted key', async () => {
    await put('a/x', '1')
    await drop('a/x', 1)
    expect(storage.get('/pods', 'a/x')).toBeUndefined()
    expect(await put('a/x', '2')).toBe(3)
    expect(storage.since(2).changes).toEqual([
      { collection: '/pods', key: 'a/x', revision: 3, type: 'created', value: '2' },
    ])
  })

  it('lists in key order, by prefix, in pages', async () => {
    for (const key of ['b/x', 'a/z', 'a-b/x', 'a/x', 'a/y']) await put(key, key)
    expect(keys()).toEqual(['a-b/x', 'a/x', 'a/y', 'a/z', 'b/x'])
    expect(keys({ prefix: 'a/' })).toEqual(['a/x', 'a/y', 'a/z'])
    expect(keys({ prefix: 'a/', limit: 2 })).toEqual(['a/x', 'a/y'])
    expect(keys({ prefix: 'a/', after: 'a/y' })).toEqual(['a/z'])
    expect(storage.count('/pods', { prefix: 'a/', after: 'a/x' })).toBe(2)
    expect(storage.list('/other')).toEqual([])
  })

  it('lists the state at an earlier revision', async () => {
    await put('a/x', '1')
    await put('a/y', '1')
    await put('a/x', '2', 1)
    await drop('a/y', 2)
    await put('a/z', '1')
    const at = (revision: number) => storage.list('/pods', { revision }).map(({ key, value }) => `${key}=${value}`)
    expect(at(1)).toEqual(['a/x=1'])
    expect(at(2)).toEqual(['a/x=1', 'a/y=1'])
    expect(at(3)).toEqual(['a/x=2', 'a/y=1'])
    expect(at(4)).toEqual(['a/x=2'])
    expect(at(5)).toEqual(['a/x=2', 'a/z=1'])
    expect(storage.count('/pods', { revision: 3 })).toBe(2)
    expect(storage.list('/pods', { revision: 3, after: 'a/x', limit: 1 })).toEqual([
      { key: 'a/y', revision: 2, value: '1' },
    ])
  })

  it('returns the changes since a revision, with the previous state', async () => {
    await put('a/x', '1')
    await put('/n', '1', undefined, '/namespaces')
    await put('a/x', '2', 1)
    await drop('a/x', 3, 'gone')
    const changes: Change[] = [
      { collection: '/pods', key: 'a/x', revision: 3, type: 'updated', value: '2', previous: '1' },
      { collection: '/pods', key: 'a/x', revision: 4, type: 'deleted', value: 'gone', previous: '2' },
    ]
    expect(storage.since(2).changes).toEqual(changes)
    expect(storage.since(1, { collection: '/pods' }).changes).toEqual(changes)
    expect(storage.since(0).changes).toHaveLength(4)
    expect(storage.since(4).changes).toEqual([])
  })

  it('returns the changes of a range of keys, and without the previous state', async () => {
    await put('a/x', '1')
    await put('a-b/x', '1')
    await put('a/y', '1')
    await put('/n', '1', undefined, '/namespaces')
    await put('a/x', '2', 1)
    const revisionsOf = (range: ChangeRange) => storage.since(0, range).changes.map(({ revision }) => revision)
    expect(revisionsOf({ collection: '/pods' })).toEqual([1, 2, 3, 5])
    expect(revisionsOf({ collection: '/pods', prefix: 'a/' })).toEqual([1, 3, 5])
    expect(revisionsOf({ collection: '/pods', key: 'a/x' })).toEqual([1, 5])
    expect(revisionsOf({ collection: '/pods', key: 'a/z' })).toEqual([])
    expect(storage.since(3, { collection: '/pods', withoutPrevious: true }).changes).toEqual([
      { collection: '/pods', key: 'a/x', revision: 5, type: 'updated', value: '2' },
    ])
  })

  it.each<[string, ChangeRange]>([
    ['all keys', {}],
    ['a collection', { collection: '/pods' }],
    ['one key', { collection: '/pods', key: 'a/x' }],
    ['no key', { collection: '/pods', key: 'a/z' }],
  ])('returns the changes of %s in slices, which end at the current revision', async (_, range) => {
    let revision = await put('a/x', 'x'.repeat(100))
    for (let count = 0; count < 20; count++) {
      await put(`a/${count}`, 'y'.repeat(100))
      revision = await put('a/x', 'x'.repeat(100), revision)
    }
    const read: Change[] = []
    let at = 0
    while (at < storage.revision()) {
      const { changes, upTo } = storage.since(at, { ...range, sliceLength: 250 })
      expect(changes.length).toBeLessThanOrEqual(3)
      expect(upTo).toBeGreaterThan(at)
      read.push(...changes)
      at = upTo
    }
    expect(read).toEqual(storage.since(0, range).changes)
  })

  it('notifies subscribers of each write before the write resolves', async () => {
    const seen: string[] = []
    const unsubscribe = storage.subscribe(({ revision, type }) => seen.push(`${revision} ${type}`))
    await put('a/x', '1').then(() => seen.push('answered'))
    await put('a/x', '2', 1)
    await drop('a/x', 2)
    unsubscribe()
    await put('a/y', '1')
    expect(seen).toEqual(['1 created', 'answered', '2 updated', '3 deleted'])
  })

  it('discards the history before a compaction, and reports reads of it as an error', async () => {
    await put('a/x', '1')
    await put('a/y', '1')
    await put('a/x', '2', 1)
    await drop('a/y', 2)
    await put('a/x', '3', 3)
    storage.compact(3)
    expect(storage.compacted()).toBe(3)
    expect(() => storage.since(2)).toThrow(CompactedError)
    expect(() => storage.list('/pods', { revision: 2 })).toThrow(CompactedError)
    expect(storage.list('/pods', { revision: 3 }).map(({ value }) => value)).toEqual(['2', '1'])
    // The state before the first remaining change is still known.
    expect(storage.since(3).changes).toEqual([
      { collection: '/pods', key: 'a/y', revision: 4, type: 'deleted', value: 'last', previous: '1' },
      { collection: '/pods', key: 'a/x', revision: 5, type: 'updated', value: '3', previous: '2' },
    ])
    storage.compact(99)
    expect(storage.compacted()).toBe(5)
    expect(keys()).toEqual(['a/x'])
  })

  it('retains a bounded history', async () => {
    let revision = await put('a/x', '0')
    for (let count = 1; count < 130; count++) revision = await put('a/x', String(count), revision)
    expect(storage.compacted()).toBeGreaterThan(0)
    expect(storage.since(storage.revision() - 100).changes).toHaveLength(100)
    expect(() => storage.since(1)).toThrow(CompactedError)
  })

  it('retains a history of bounded size, and every object', async () => {
    const small = open({ historyLength: 1_000, historyBytes: 10_000 })
    const value = 'x'.repeat(1_000)
    const write = (key: string, expected?: number) =>
      small.write({ collection: '/pods', key, expected, type: 'put', value })
    for (let count = 0; count < 30; count++) await write(`a/${count}`)
    const revision = await write('a/5', 6)
    const { changes } = small.since(small.compacted())
    expect(changes.length).toBeLessThanOrEqual(11)
    expect(changes.at(-1)).toMatchObject({ key: 'a/5', revision, type: 'updated', previous: value })
    expect(() => small.since(10)).toThrow(CompactedError)
    expect(small.list('/pods')).toHaveLength(30)
    small.close()
  })

  it('retains the newest change, however large it is', async () => {
    const small = open({ historyLength: 1_000, historyBytes: 1 })
    for (const key of ['a/x', 'a/y']) {
      await small.write({ collection: '/pods', key, expected: undefined, type: 'put', value: 'large' })
    }
    expect(small.since(1).changes).toMatchObject([{ key: 'a/y' }])
    expect(() => small.since(0)).toThrow(CompactedError)
    expect(small.list('/pods')).toHaveLength(2)
    small.close()
  })

  describe('of logs', () => {
    const append = (log: string, text: string, timeMs = 0) =>
      storage.logs.append(log, { timeMs, stream: 'Stdout', bytes: new TextEncoder().encode(text) })
    const texts = (chunks: LogChunk[]) => chunks.map(({ bytes }) => new TextDecoder().decode(bytes))

    it('stores bytes in order, without a revision', async () => {
      await Promise.all(['a', 'b', 'c'].map((text) => append('x', text)))
      await append('y', 'other')
      expect(texts(storage.logs.after('x', 0, 10))).toEqual(['a', 'b', 'c'])
      expect(texts(storage.logs.after('x', 1, 1))).toEqual(['b'])
      expect(texts(storage.logs.before('x', undefined, 2))).toEqual(['c', 'b'])
      expect(texts(storage.logs.before('x', 2, 9))).toEqual(['a'])
      expect(storage.revision()).toBe(0)
    })

    it('stores bytes unchanged, in chunks of bounded size', async () => {
      const bytes = Uint8Array.from({ length: logChunkBytes * 2 + 1 }, (_, index) => index % 256)
      const written = storage.logs.append('x', { timeMs: 5, stream: 'Stderr', bytes })
      await written
      const chunks = storage.logs.after('x', 0, 10)
      expect(chunks.map(({ sequence, timeMs, stream }) => [sequence, timeMs, stream])).toEqual([
        [1, 5, 'Stderr'],
        [2, 5, 'Stderr'],
        [3, 5, 'Stderr'],
      ])
      expect(Buffer.concat(chunks.map((chunk) => chunk.bytes)).equals(bytes)).toBe(true)
    })

    it('notifies subscribers, and removes logs', async () => {
      const grown: string[] = []
      const stop = storage.logs.subscribe((log) => grown.push(log))
      await append('a/1', 'x')
      await append('a/2', 'x')
      await append('b/1', 'x')
      stop()
      await append('b/1', 'x')
      expect(grown).toEqual(['a/1', 'a/2', 'b/1'])
      expect(storage.logs.names('a/')).toEqual(['a/1', 'a/2'])
      storage.logs.remove('a/1')
      expect([storage.logs.names('a/'), storage.logs.after('a/1', 0, 1)]).toEqual([['a/2'], []])
    })
  })

  describe('with keys that SQL or patterns could misread', () => {
    it.each(['a/%', 'a/_', "a/'", 'a/ü', 'a/*'])('stores %s', async (key) => {
      await put(key, 'odd')
      await put('a/zz', 'other')
      expect(storage.get('/pods', key)?.value).toBe('odd')
      expect(keys({ prefix: key })).toEqual([key])
    })
  })
}
