import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patienceVariable } from '../patience.mjs'
import { reportVariable } from '../report.mjs'
import { commandOf, inRepository, root } from '../repository.mjs'

/**
 * Environment variables for `vitest.config.mjs`: the key of the mutation to apply, the file for those executed, and what
 * matches the names of the tests of the requirement.
 */
export const mutantVariable = 'SLIPWAY_MUTANT'
export const executedVariable = 'SLIPWAY_EXECUTED_MUTATIONS'
export const ownTestsVariable = 'SLIPWAY_OWN_TESTS'
/** Precedes, in that file, the keys of mutations that tests of other requirements execute. */
export const elsewhereMark = '-'

/** Tests of one requirement that take longer, even on a busy machine, have failed. */
const limitMs = 900_000
const patienceMs = 30_000

/**
 * Runs the tests of a requirement, with the product as it is or with a mutation.
 * @param {string[]} files
 * @param {RegExp} names of the tests
 * @param {{ mutant?: string, neighbors?: RegExp[] }} [options] the key of a mutation, and names of tests to run as well
 * @returns {Promise<{ passed: number, failure?: string, executed: string[], elsewhere: string[] }>} keys of the mutations
 *   that the tests of the requirement execute, and of those that its neighbors do
 */
export async function runTests(files, names, { mutant = '', neighbors = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-mutate-'))
  const [report, executed] = [join(folder, 'report.json'), join(folder, 'executed')]
  const env = {
    [reportVariable]: report,
    [executedVariable]: executed,
    [ownTestsVariable]: names.source,
    [mutantVariable]: mutant,
    [patienceVariable]: String(patienceMs),
  }
  const pattern = [names, ...neighbors].map(({ source }) => source).join('|')
  const options = ['--config=scripts/lib/mutation/vitest.config.mjs', `--testNamePattern=${pattern}`, '--bail=1']
  const reporter = `--reporter=${inRepository('scripts/lib/vitest-reporter.mjs')}`
  try {
    const end = await exitOf([commandOf('vitest'), 'run', ...options, reporter, ...files], env, limitMs)
    const outcome = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
    const [failure] = outcome.failures ?? []
    const keys = existsSync(executed) ? readFileSync(executed, 'utf8').split('\n').filter(Boolean) : []
    return {
      passed: outcome.passed ?? 0,
      failure: failure ? `${failure.test}: ${failure.error.split('\n')[0]}` : end,
      executed: keys.filter((key) => !key.startsWith(elsewhereMark)),
      elsewhere: keys.filter((key) => key.startsWith(elsewhereMark)).map((key) => key.slice(elsewhereMark.length)),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runs a script of Node with everything that it starts, which ends with this process: a mutated program may never end.
 * @param {string[]} script with its arguments
 * @param {Record<string, string>} env
 * @param {number} limitMs
 * @returns {Promise<string | undefined>} why it failed
 */
export function exitOf(script, env, limitMs) {
  const child = spawn(process.execPath, script, {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
    stdio: 'ignore',
  })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // All of the processes have ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  process.once('exit', kill)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(kill, limitMs)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      process.off('exit', kill)
      // Vitest's workers, if it could not end them.
      kill()
      resolve(signal ? `it did not end within ${limitMs / 1000} s` : code === 0 ? undefined : `exit code ${code}`)
    })
  })
}
