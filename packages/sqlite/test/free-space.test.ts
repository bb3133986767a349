import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabaseFile } from '../src/database-file'
import { acknowledgedPath, openAcknowledged } from '../src/acknowledged'
import type { DatabaseSchema } from '../src/inspect'

const mb = 1024 * 1024
const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT INTO meta VALUES ('commits', 0);
  CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
`
const schema: DatabaseSchema = { migrations: [{ sql: tables }], checks: [] }
const fill = 'INSERT INTO texts (text) VALUES (?)'
const text = 'x'.repeat(64 * 1024)

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-free-space-'))
  path = join(folder, 'it.sqlite')
})
afterEach(() => rm(folder, { recursive: true }))

const open = () => openDatabaseFile(path, schema, { cacheKb: 1024 })
const sizeMb = () => statSync(path).size / mb

it('a file returns the space of deleted rows to the disk, except 8 MB for the next writes', () => {
  const { database, transaction, close } = open()
  transaction(() => {
    for (let i = 0; i < 640; i++) database.prepare(fill).run(text)
  })
  transaction(() => void database.exec('DELETE FROM texts WHERE id > 10'))
  for (let i = 0; i < 800; i++) transaction(() => void database.exec(`UPDATE texts SET text = '${i}' WHERE id = 1`))
  close()
  expect(sizeMb()).toBeLessThan(11)
  expect(sizeMb()).toBeGreaterThan(7)
})

it('a file of an earlier version, whose space could not be returned, is rewritten when it is opened', () => {
  const earlier = new DatabaseSync(path)
  earlier.exec(`${tables} PRAGMA user_version = 1;`)
  for (let i = 0; i < 320; i++) earlier.prepare(fill).run(text)
  earlier.exec('DELETE FROM texts WHERE id > 10')
  earlier.close()
  openAcknowledged(path, { commits: 0, revision: 0 }).close()
  expect(sizeMb()).toBeGreaterThan(20)
  const { database, close } = open()
  expect(database.prepare('SELECT count(*) AS count FROM texts').get()).toEqual({ count: 10 })
  close()
  expect(sizeMb()).toBeLessThan(2)
  expect(statSync(acknowledgedPath(path)).size).toBeGreaterThan(0)
})

it('the log of a large commit does not stay large', () => {
  const { database, transaction, close } = open()
  transaction(() => {
    for (let i = 0; i < 640; i++) database.prepare(fill).run(text)
  })
  for (let i = 0; i < 2; i++) transaction(() => void database.exec(`UPDATE texts SET text = '${i}' WHERE id = 1`))
  expect(statSync(`${path}-wal`).size / mb).toBeLessThan(17)
  close()
})
