import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { inRepository } from './repository.mjs'

/** Which screens the tests of each file open: names in `paths`. `npm test` and `npm run test:changed` record them. */
export const openedScreensFile = 'packages/console/test/opened-screens.json'

/**
 * @typedef {object} Observation
 * @property {string} file
 * @property {string[]} screens
 * @property {boolean} isComplete every test of the file passed
 */

/** @returns {Record<string, string[]>} */
export const readOpenedScreens = () => JSON.parse(readFileSync(inRepository(openedScreensFile), 'utf8'))

/**
 * Adds what was observed. Nothing is taken away, since a screen may open just before or just after the end of a test.
 * A file is recorded for the first time when all its tests have passed: others may open fewer screens than they will.
 * @param {Record<string, string[]>} recorded
 * @param {Observation[]} observations
 * @param {(file: string) => boolean} exists
 * @returns {Record<string, string[]>}
 */
export function mergeOpenedScreens(recorded, observations, exists) {
  const merged = new Map(Object.entries(recorded).filter(([file]) => exists(file)))
  for (const { file, screens, isComplete } of observations) {
    const known = merged.get(file)
    if (known || isComplete) merged.set(file, [...new Set([...(known ?? []), ...screens])].sort())
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @param {Observation[]} observations */
export async function recordOpenedScreens(observations) {
  const recorded = readOpenedScreens()
  const merged = mergeOpenedScreens(recorded, observations, (file) => existsSync(inRepository(file)))
  if (JSON.stringify(merged) === JSON.stringify(recorded)) return
  const { format, resolveConfig } = await import('prettier')
  const options = await resolveConfig(inRepository(openedScreensFile))
  writeFileSync(
    inRepository(openedScreensFile),
    await format(JSON.stringify(merged), { ...options, filepath: openedScreensFile }),
  )
  console.log(`\nTests open other screens than before: commit ${openedScreensFile}.`)
}
