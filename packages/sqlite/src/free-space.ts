import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** Free pages that stay in the file for the next writes: 8 MB, or an eighth of a file of more than 64 MB. */
const sparePages = 2_048
const spareShare = 1 / 8
/** Pages that are returned at once: 1 MB, which takes a few milliseconds. */
const pagesAtOnce = 256
/** How many commits pass between two checks. */
const checkEvery = 16

/** Value of `PRAGMA auto_vacuum`; a new file gets it before its first table. */
const incremental = 2
export const freeSpaceSetting = `PRAGMA auto_vacuum = ${incremental};`

/**
 * Rewrites a file whose space cannot be returned because an earlier version created it. That happens once, and takes a
 * second for each 100 MB. A file for which the disk lacks the space stays as it is.
 */
export function allowReturningSpace(database: DatabaseSyncInstance): void {
  const { auto_vacuum: mode } = database.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number } // One row.
  if (mode === incremental) return
  try {
    database.exec(`${freeSpaceSetting} VACUUM`)
  } catch {
    // Nothing has changed. The next start tries again.
  }
}

/**
 * Returns space to the disk that deleted rows have left, a little at a time.
 * @returns a function to call after each commit, which never throws
 */
export function createSpaceReturn(database: DatabaseSyncInstance): () => void {
  const counts = database.prepare(
    'SELECT freelist_count AS free, page_count AS pages FROM pragma_freelist_count, pragma_page_count',
  )
  let commits = 0
  return () => {
    if (++commits % checkEvery !== 0) return
    try {
      const { free, pages } = counts.get() as { free: number; pages: number } // One row.
      if (free <= Math.max(sparePages, pages * spareShare)) return
      database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
    } catch {
      // For example a full disk: the space is returned later.
    }
  }
}
