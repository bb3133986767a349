import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sqliteStorage } from '../src/storage/sqlite'
import { salvageStore } from '../src/storage/sqlite-salvage'
import type { Storage } from '../src/storage/storage'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'apiserver-salvage-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const collection = '/pods'
const put = (storage: Storage, key: string, value: string, expected?: number) =>
  storage.write({ collection, key, expected, type: 'put', value })

/** A closed store: `a` with two versions, `b` with one, `c` deleted, and a log of two chunks. */
async function damagedBy(sql: string): Promise<string> {
  const path = join(folder, 'old.sqlite')
  const storage = sqliteStorage(path)
  await put(storage, 'a', '{"a":1}')
  await put(storage, 'a', '{"a":2}', 1)
  await put(storage, 'b', '{"b":1}')
  await put(storage, 'c', '{"c":1}')
  await storage.write({ collection, key: 'c', expected: 4, type: 'delete', value: '{"c":1}' })
  for (const text of ['one', 'two'])
    await storage.logs.append('a', { timeMs: 7, stream: 'Stdout', bytes: Buffer.from(text) })
  storage.close()
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
  return path
}

/** Contents of the store salvaged from the one at this path. */
function salvaged(from: string) {
  const to = join(folder, 'new.sqlite')
  const before = readFileSync(from)
  const { copied, lost } = salvageStore(from, to, folder)
  expect(readFileSync(from).equals(before)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.startsWith('copy-'))).toEqual([])
  const storage = sqliteStorage(to)
  const values = Object.fromEntries(storage.list(collection).map(({ key, value }) => [key, value]))
  const log = storage.logs.after('a', 0, 9).map(({ bytes }) => Buffer.from(bytes).toString())
  const revision = storage.revision()
  expect(() => storage.since(revision - 1)).toThrow()
  storage.close()
  return { copied, lost, values, log, revision }
}

const whole = { a: '{"a":2}', b: '{"b":1}' }

it.each<[title: string, sql: string, expected: Partial<ReturnType<typeof salvaged>>]>([
  [
    'an intact store',
    'SELECT 1',
    { values: whole, log: ['one', 'two'], lost: [], copied: '2 objects, 2 chunks of logs', revision: 6 },
  ],
  [
    'a store with a damaged older version, which does not matter',
    "UPDATE versions SET value = '{}' WHERE revision = 1",
    { values: whole, lost: [] },
  ],
  [
    'a store with a damaged newest version, whose predecessor is copied',
    "UPDATE versions SET value = '{}' WHERE revision = 2",
    {
      values: { ...whole, a: '{"a":1}' },
      lost: ['/pods a: revision 2 cannot be read, copied as it was at revision 1'],
    },
  ],
  [
    'a store with a missing newest version',
    'DELETE FROM versions WHERE revision = 2',
    {
      values: { ...whole, a: '{"a":1}' },
      lost: ['/pods a: revision 2 cannot be read, copied as it was at revision 1'],
    },
  ],
  [
    'a store with an object whose versions are all lost',
    'DELETE FROM versions WHERE revision = 3',
    { values: { a: '{"a":2}' }, lost: ['/pods b: revision 3 cannot be read, not copied'] },
  ],
  [
    'a store with a damaged log chunk',
    "UPDATE logs SET bytes = x'00' WHERE sequence = 1",
    { log: ['two'], lost: ['chunk 1 of the log a is damaged, not copied'], copied: '2 objects, 1 chunks of logs' },
  ],
  [
    'a store without a logs table',
    'DROP TABLE logs',
    { values: whole, log: [], lost: ['logs cannot be read, not copied'] },
  ],
  [
    'a store of version 1, in which damage is detected only if a value is not JSON',
    `UPDATE versions SET value = '{' WHERE revision = 3;
      ALTER TABLE versions DROP COLUMN checksum; ALTER TABLE logs DROP COLUMN checksum`,
    {
      values: { a: '{"a":2}' },
      log: ['one', 'two'],
      lost: ['/pods b: revision 3 cannot be read, not copied'],
    },
  ],
])('salvageStore copies everything intact from %s', async (_, sql, expected) => {
  expect(salvaged(await damagedBy(sql))).toMatchObject(expected)
})

it('a salvaged store starts above every revision that clients have seen, even if the last writes are lost', async () => {
  const path = join(folder, 'old.sqlite')
  const early = join(folder, 'early.sqlite')
  const first = sqliteStorage(path)
  await put(first, 'a', '{"a":1}')
  first.close()
  copyFileSync(path, early)
  const second = sqliteStorage(path)
  for (let revision = 1; revision < 5; revision++) await put(second, 'a', '{}', revision)
  second.close()
  copyFileSync(`${path}-acknowledged`, `${early}-acknowledged`)
  expect(salvaged(early)).toMatchObject({ values: { a: '{"a":1}' }, revision: 6 })
})

it('salvageStore copies what follows an unreadable page, in several commits', async () => {
  const path = join(folder, 'old.sqlite')
  const storage = sqliteStorage(path)
  const text = 'x'.repeat(1_000)
  const keys = Array.from({ length: 1_200 }, (_, count) => `key-${count}`)
  await Promise.all(keys.map((key) => put(storage, key, JSON.stringify({ key, text }))))
  storage.close()
  const bytes = readFileSync(path)
  const page = Math.floor(bytes.indexOf('{"key":"key-600"') / 4096)
  bytes.fill(0xa5, page * 4096, (page + 1) * 4096)
  writeFileSync(path, bytes)
  const { values, lost } = salvaged(path)
  expect(lost.length).toBeGreaterThan(0)
  expect(lost.length).toBeLessThan(20)
  expect(Object.keys(values)).toHaveLength(keys.length - lost.length)
  expect(values['key-1199']).toContain('"key-1199"')
})
