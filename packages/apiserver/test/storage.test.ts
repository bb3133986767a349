import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryStorage } from '../src/storage/memory'
import { sqliteStorage } from '../src/storage/sqlite'
import { StorageError } from '../src/storage/storage'
import { storageContract } from './storage-contract'

let folder = ''
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apiserver-storage-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, `${files++}.db`)

describe('memory storage', () => {
  storageContract(memoryStorage)

  it('a copy has the same objects and revision, and later changes of either do not affect the other', async () => {
    const original = memoryStorage()
    await original.write({ collection: '/pods', key: 'a/x', expected: undefined, type: 'put', value: '1' })
    await original.write({ collection: '/pods', key: 'a/y', expected: undefined, type: 'put', value: '2' })
    await original.write({ collection: '/pods', key: 'a/y', expected: 2, type: 'delete', value: '2' })
    const copy = original.copy()
    expect(copy.list('/pods')).toEqual(original.list('/pods'))
    expect([copy.revision(), copy.compacted()]).toEqual([3, 3])
    const changed: string[] = []
    original.subscribe(({ key }) => changed.push(key))
    await copy.write({ collection: '/pods', key: 'a/x', expected: 1, type: 'put', value: '3' })
    await copy.write({ collection: '/pods', key: 'a/z', expected: undefined, type: 'put', value: '4' })
    await original.write({ collection: '/pods', key: 'a/x', expected: 1, type: 'delete', value: '1' })
    expect(original.list('/pods')).toEqual([])
    expect(copy.list('/pods').map(({ key, value }) => [key, value])).toEqual([
      ['a/x', '3'],
      ['a/z', '4'],
    ])
    expect(copy.since(3).changes).toMatchObject([
      { key: 'a/x', type: 'updated', previous: '1' },
      { key: 'a/z', type: 'created' },
    ])
    expect(changed).toEqual(['a/x'])
  })
})

describe('SQLite storage', () => {
  storageContract((options) => sqliteStorage(newFile(), options))

  const write = (value: string, expected?: number) =>
    ({ collection: '/pods', key: 'a/x', expected, type: 'put', value }) as const

  it('has the same content after it is closed and reopened', async () => {
    const path = newFile()
    const first = sqliteStorage(path)
    await first.write(write('1'))
    await first.write(write('2', 1))
    first.compact(1)
    first.close()
    const second = sqliteStorage(path)
    expect(second.revision()).toBe(2)
    expect(second.compacted()).toBe(1)
    expect(second.get('/pods', 'a/x')).toEqual({ key: 'a/x', revision: 2, value: '2' })
    expect(second.since(1).changes).toMatchObject([{ type: 'updated', value: '2', previous: '1' }])
    second.close()
  })

  it('bounds the size of a history from before it was opened', async () => {
    const path = newFile()
    const first = sqliteStorage(path)
    for (let count = 0; count < 20; count++) await first.write({ ...write('ä'.repeat(500)), key: `a/${count}` })
    first.close()
    const second = sqliteStorage(path, { historyBytes: 5_000 })
    await second.write({ ...write('1'), key: 'a/last' })
    expect(second.compacted()).toBe(16)
    expect(second.list('/pods')).toHaveLength(21)
    second.close()
  })

  it('completes pending writes when it is closed', async () => {
    const path = newFile()
    const storage = sqliteStorage(path)
    const written = storage.write(write('1'))
    const logged = storage.logs.append('x', { timeMs: 7, stream: 'Stderr', bytes: Uint8Array.of(255) })
    storage.close()
    await logged
    expect(await written).toBe(1)
    const reopened = sqliteStorage(path)
    expect(reopened.logs.after('x', 0, 1)).toMatchObject([{ timeMs: 7, stream: 'Stderr' }])
    reopened.close()
    await expect(storage.write(write('2', 1))).rejects.toThrow(StorageError)
  })

  it('belongs to one process at a time', () => {
    const path = newFile()
    // Not by the statements that create the tables.
    sqliteStorage(path).close()
    const owner = sqliteStorage(path)
    expect(() => sqliteStorage(path)).toThrow(`The data folder is already in use: ${path} is open in another process.`)
    owner.close()
    sqliteStorage(path).close()
  })

  it('does not change a file that is not a database, and says what to do', () => {
    const path = newFile()
    writeFileSync(path, 'not a database, '.repeat(100))
    const before = readFileSync(path)
    expect(() => sqliteStorage(path)).toThrow(
      /^The data in .* is damaged: .* put back a copy of the whole folder, or move it away/,
    )
    expect(readFileSync(path)).toEqual(before)
  })

  it('does not change a damaged file', async () => {
    const path = newFile()
    const storage = sqliteStorage(path)
    for (let count = 0; count < 50; count++) {
      await storage.write({ ...write('x'.repeat(3000)), key: `a/${count}` })
    }
    storage.close()
    const bytes = readFileSync(path)
    bytes.fill(0xff, 4096, bytes.length - 4096)
    writeFileSync(path, bytes)
    copyFileSync(path, `${path}.copy`)
    expect(() => sqliteStorage(path)).toThrow(StorageError)
    expect(readFileSync(path)).toEqual(readFileSync(`${path}.copy`))
  })

  it('rejects a file of a newer version', () => {
    const path = newFile()
    sqliteStorage(path).close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    expect(() => sqliteStorage(path)).toThrow(/was written by a newer version .* Update the program/)
  })

  it('reports a path where no file can be created', () => {
    const path = join(folder, 'no', 'folder', 'x.db')
    expect(() => sqliteStorage(path)).toThrow(`${path} cannot be opened`)
  })
})
