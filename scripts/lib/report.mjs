import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './repository.mjs'

/** The environment variable that names the file to which our reporters write. */
export const reportVariable = 'SLIPWAY_TEST_REPORT'

/** @param {import('./steps.mjs').Outcome} outcome */
export function writeReport(outcome) {
  const file = process.env[reportVariable]
  if (!file) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(outcome))
}

/**
 * The time of each test file.
 * @param {{ file: string, ms: number }[]} times of tests or files, by absolute path
 * @returns {import('./steps.mjs').FileTime[]}
 */
export function fileTimes(times) {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const { file, ms } of times) sums.set(file, (sums.get(file) ?? 0) + ms)
  return [...sums].map(([file, ms]) => ({ file: pathInRepository(file), ms: Math.round(ms) }))
}

/** @param {string} file absolute */
export const pathInRepository = (file) => relative(root, file).split(sep).join('/')

/**
 * @param {{ file?: string, line?: number, titles?: string[], error?: { message?: string, value?: string } }} found
 * @returns {import('./steps.mjs').Failure}
 */
export function failureOf({ file, line, titles = [], error }) {
  const path = file && pathInRepository(file)
  return {
    test: [path && `${path}${line ? `:${line}` : ''}`, ...titles].filter(Boolean).join(' › '),
    error: stripVTControlCharacters(error?.message ?? error?.value ?? 'no message'),
  }
}
