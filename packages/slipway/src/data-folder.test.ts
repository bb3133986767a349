import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDataFolder } from './data-folder'

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
