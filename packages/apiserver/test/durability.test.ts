import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteStorage } from '../src/storage/sqlite'
import { letGo, opened } from '../src/storage/sqlite-file'
import { StorageError, type Storage } from '../src/storage/storage'
import { killAgainAndAgain } from './kills'

let folder = ''
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apiserver-durability-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const newFile = () => join(folder, `${files++}.db`)

const put = (storage: Storage, key: string, value: string, expected?: number) =>
  storage.write({ collection: '/pods', key, expected, type: 'put', value })

// The soak does the same 300 times: npm run kills -w packages/apiserver
it('keeps every answered write when its process is killed', async () => {
  const { answered, ...faults } = await killAgainAndAgain(newFile(), { kills: 12, seed: 1 })
  expect(answered).toBeGreaterThan(100)
  expect(faults).toEqual({ lost: [], unopened: [] })
})

it('waits for the disk with every commit', () => {
  const database = opened(newFile())
  // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(database.prepare('PRAGMA locking_mode').get()).toEqual({ locking_mode: 'exclusive' })
  letGo(database)
})

it('uses the space of forgotten versions again', async () => {
  const path = newFile()
  const storage = sqliteStorage(path, { historyLength: 100 })
  const revisions = new Map<number, number>()
  const writeAll = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        Array.from({ length: 50 }, async (_, key) => {
          revisions.set(key, await put(storage, `a/${key}`, 'x'.repeat(5000), revisions.get(key)))
        }),
      )
    }
  }
  const bytes = () => statSync(path).size + statSync(`${path}-wal`).size
  await writeAll(40)
  const settled = bytes()
  await writeAll(160)
  expect(bytes()).toBeLessThan(settled * 1.2)
  expect(storage.since(storage.compacted()).length).toBeLessThanOrEqual(150)
  storage.close()
})

describe('a file that was damaged', () => {
  /** As a kill leaves it: the file, and beside it the log of what is not in it yet. */
  async function killedFile(): Promise<string> {
    const [path, left] = [newFile(), newFile()]
    const storage = sqliteStorage(path)
    for (let count = 0; count < 400; count++) await put(storage, `a/${count}`, 'x'.repeat(5000))
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, left + suffix)
    storage.close()
    expect(statSync(left).size).toBeGreaterThan(1_000_000)
    expect(statSync(`${left}-wal`).size).toBeGreaterThan(10_000)
    return left
  }

  const overwrite = (path: string, at: number, bytes: Buffer) => {
    const content = readFileSync(path)
    bytes.copy(content, at)
    writeFileSync(path, content)
  }

  it.each<[string, (path: string) => void]>([
    ['has a torn page', (path) => overwrite(path, 4096 * 3 + 512, Buffer.alloc(3584, 0xa5))],
    ['is cut short', (path) => truncateSync(path, 300_000)],
    [
      'begins with garbage',
      (path) => {
        // Else its first page would be taken from the log.
        sqliteStorage(path).close()
        overwrite(path, 0, Buffer.alloc(100, 0x5a))
      },
    ],
    ['is another kind of file', (path) => writeFileSync(path, 'no database, '.repeat(1000))],
    ['has a log that begins with garbage', (path) => overwrite(`${path}-wal`, 0, Buffer.alloc(32, 0x5a))],
  ])('and %s is named with the remedy, and left as it was', async (_, damage) => {
    const path = await killedFile()
    damage(path)
    const parts = [path, `${path}-wal`].filter((part) => existsSync(part))
    const before = parts.map((part) => readFileSync(part))
    const open = () => sqliteStorage(path)
    expect(open).toThrow(StorageError)
    expect(open).toThrow(path)
    expect(open).toThrow(/is damaged .* Nothing has been changed: put back a copy of the file, or move it away/)
    expect(parts.map((part, index) => readFileSync(part).equals(before[index] ?? Buffer.of()))).toEqual(
      parts.map(() => true),
    )
  })

  it('and whose log is cut short opens at the last whole commit, as after a power cut', async () => {
    const path = await killedFile()
    const log = `${path}-wal`
    truncateSync(log, Math.floor(statSync(log).size / 2) + 100)
    const storage = sqliteStorage(path)
    const revision = storage.revision()
    expect(revision).toBeGreaterThan(0)
    expect(storage.since(0).map((change) => change.revision)).toEqual(Array.from({ length: revision }, (_, i) => i + 1))
    expect(storage.count('/pods')).toBe(revision)
    storage.close()
  })

  it('and of a newer version is left as it was', () => {
    const path = newFile()
    sqliteStorage(path).close()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    const before = readFileSync(path)
    expect(() => sqliteStorage(path)).toThrow(
      `${path} was written by a newer version of this program (schema 99, known is 1). Update the program, or start with another data folder.`,
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })
})
