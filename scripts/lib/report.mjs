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
 * @param {{ file?: string, line?: number, titles?: string[], error?: { message?: string, value?: string } }} found
 * @returns {import('./steps.mjs').Failure}
 */
export function failureOf({ file, line, titles = [], error }) {
  const path = file && relative(root, file).split(sep).join('/')
  return {
    test: [path && `${path}${line ? `:${line}` : ''}`, ...titles].filter(Boolean).join(' › '),
    error: stripVTControlCharacters(error?.message ?? error?.value ?? 'no message'),
  }
}
