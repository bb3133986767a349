import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patienceVariable } from '../patience.mjs'
import { reportVariable } from '../report.mjs'
import { commandOf, inRepository, root } from '../repository.mjs'

/** Environment variables for `vitest.config.mjs`: the key of the mutation to apply, and the file for those executed. */
export const mutantVariable = 'SLIPWAY_MUTANT'
export const executedVariable = 'SLIPWAY_EXECUTED_MUTATIONS'

/** Tests of one requirement that take longer, even on a busy machine, have failed. */
const limitMs = 900_000
const patienceMs = 30_000

/**
 * Runs some tests, with the product as it is or with a mutation.
 * @param {string[]} files
 * @param {RegExp} names of the tests
 * @param {string} [mutant] key of a mutation
 * @returns {Promise<{ passed: number, failure?: string, executed: string[] }>} `executed`: keys of mutations
 */
export async function runTests(files, names, mutant = '') {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-mutate-'))
  const [report, executed] = [join(folder, 'report.json'), join(folder, 'executed')]
  const env = {
    [reportVariable]: report,
    [executedVariable]: executed,
    [mutantVariable]: mutant,
    [patienceVariable]: String(patienceMs),
  }
  const options = ['--config=scripts/lib/mutation/vitest.config.mjs', `--testNamePattern=${names.source}`, '--bail=1']
  const reporter = `--reporter=${inRepository('scripts/lib/vitest-reporter.mjs')}`
  try {
    const end = await exitOf([commandOf('vitest'), 'run', ...options, reporter, ...files], env, limitMs)
    const outcome = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
    const [failure] = outcome.failures ?? []
    return {
      passed: outcome.passed ?? 0,
      failure: failure ? `${failure.test}: ${failure.error.split('\n')[0]}` : end,
      executed: existsSync(executed) ? readFileSync(executed, 'utf8').split('\n').filter(Boolean) : [],
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
