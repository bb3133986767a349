import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DatabaseSync } from '@photostructure/sqlite'
import { openDataFolder } from './data-folder'
import { StartError } from './start-error'

let folder = ''
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'slipway-data-folder-'))))
afterEach(() => rm(folder, { recursive: true }))

it('the history of a data folder is limited by its size, however few changes it has', async () => {
  const { storage } = await openDataFolder(folder, { fresh: false })
  const value = 'x'.repeat(1024 * 1024)
  let expected: number | undefined
  for (let count = 0; count < 40; count++) {
    expected = await storage.write({ collection: 'things', key: 'large', expected, type: 'put', value })
  }
  const retained = storage.revision() - storage.compacted()
  storage.close()
  expect(retained).toBeGreaterThan(16)
  expect(retained).toBeLessThanOrEqual(36)
})

it('a data folder of a newer version is refused with what to do, and not changed', async () => {
  const path = join(folder, 'store.sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99; CREATE TABLE later (name TEXT)')
  database.close()
  const before = await readFile(path)
  const error = await openDataFolder(folder, { fresh: false }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartError)
  // Nothing suggests to discard data that the newer version can still open.
  expect((error as Error).message).toBe(
    `${path} was written by a newer version of this program (schema 99; this version supports 2). Update the program, or use another data folder.`,
  )
  expect(await readdir(folder)).toEqual(['store.sqlite'])
  expect(await readFile(path)).toEqual(before)
})
