import { readdirSync, statSync } from 'node:fs'
import { inRepository } from './repository.mjs'

const ignored = new Set(['node_modules', 'dist', '.cache', 'test-results', 'playwright-report'])

/**
 * The files under a path, in a stable order; empty if it does not exist. Installed and built files are excluded.
 * @param {string} path path of a file or folder, relative to the repository, with forward slashes
 * @returns {string[]} relative to the repository
 */
export function filesUnder(path) {
  const stats = statSync(inRepository(path), { throwIfNoEntry: false })
  if (!stats) return []
  if (!stats.isDirectory()) return [path]
  const names = readdirSync(inRepository(path)).filter((name) => !ignored.has(name))
  return names.sort().flatMap((name) => filesUnder(`${path}/${name}`))
}
