import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patienceVariable } from '../patience.mjs'
import { reportVariable } from '../report.mjs'
import { commandOf, inRepository, root } from '../repository.mjs'

/**
 * Environment variables for `vitest.config.mjs` and `recorder.mjs`: the key of the mutation to apply, or else the file with
 * the tests to record and the one for what they execute; and the folder in which Vitest caches the modules that it compiles.
 */
export const mutantVariable = 'SLIPWAY_MUTANT'
export const recordedTestsVariable = 'SLIPWAY_RECORDED_TESTS'
export const executedVariable = 'SLIPWAY_EXECUTED_MUTATIONS'
export const cacheVariable = 'SLIPWAY_MUTATION_CACHE'
/** Precedes, in the file of what is executed, the keys of mutations that the tests themselves and their neighbors execute. */
export const marks = { own: '+', elsewhere: '-' }

/** Tests of one requirement that take longer, even on a busy machine, have failed. */
const limitMs = 900_000
/** Limit of the run of all tests, one after the other, that records what they execute. */
const recordLimitMs = 5_400_000
const patienceMs = 30_000

/**
 * @typedef {object} Recording what the tests of a requirement do without a mutation
 * @property {string} [failure] of one of its tests
 * @property {Set<string>} executed keys of the mutations that they execute
 * @property {Map<string, number>} elsewhere how many of its neighbors have tests that execute a mutation, by its key
 *
 * @typedef {Pick<import('./requirement.mjs').Subject, 'files' | 'names' | 'neighbors'>} Tests
 */

/**
 * Runs the tests of requirements and of their neighbors once, all together, with the product as it is.
 * @param {Tests[]} subjects
 * @param {string} cache folder
 * @returns {Promise<Recording[]>} one for each of them
 */
export async function recordTests(subjects, cache) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-mutate-'))
  const [tests, executed] = [join(folder, 'tests.json'), join(folder, 'executed')]
  try {
    writeFileSync(tests, JSON.stringify(subjects.map(toRecorded)))
    writeFileSync(executed, '')
    const env = { [recordedTestsVariable]: tests, [executedVariable]: executed, [cacheVariable]: cache }
    const files = subjects.flatMap((subject) => subject.files)
    const names = subjects.flatMap((subject) => [subject.names, ...subject.neighbors])
    const { end, failures } = await runVitest(folder, [...new Set(files)], names, [], env, recordLimitMs)
    const lines = readFileSync(executed, 'utf8').split('\n').filter(Boolean)
    return toRecordings(
      subjects,
      lines,
      end && failures.length === 0 ? [{ test: 'outside a test', error: end }] : failures,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {Tests} tests */
const toRecorded = ({ files, names, neighbors }) => ({
  files,
  own: names.source,
  elsewhere: neighbors.map(({ source }) => source),
})

/**
 * Divides a run among the requirements whose tests were run.
 * @param {Tests[]} subjects
 * @param {string[]} lines what `recorder.mjs` wrote: the index of a requirement, a mark and a key, once for each neighbor
 * @param {import('../steps.mjs').Failure[]} failures
 * @returns {Recording[]}
 */
export function toRecordings(subjects, lines, failures) {
  const recordings = subjects.map(({ files, names, neighbors }) => {
    const failure = failures.find(({ test }) => {
      const isInFile = files.some((file) => test.startsWith(file)) || !test.startsWith('packages/')
      return isInFile && (names.test(test) || !neighbors.some((neighbor) => neighbor.test(test)))
    })
    /** @type {Recording} */
    const recording = { failure: failure && textOfFailure(failure), executed: new Set(), elsewhere: new Map() }
    return recording
  })
  for (const line of lines) {
    const [, index, mark, key = ''] = /^(\d+)([-+])(.*)$/.exec(line) ?? []
    const recording = recordings[Number(index)]
    if (mark === marks.own) recording?.executed.add(key)
    else recording?.elsewhere.set(key, (recording.elsewhere.get(key) ?? 0) + 1)
  }
  return recordings
}

/** Precedes the failure of a test that does not cite the requirement. */
export const byAnother = 'Another test: '

/**
 * Runs the tests of a requirement with a mutation, until one of them fails. If none does, it runs the other tests of their
 * files, and those beside the mutated module: which place implements a requirement is a guess.
 * @param {Tests} subject
 * @param {string} mutant its key
 * @param {string} cache folder
 * @returns {Promise<string | undefined>} the first failure
 */
export async function testMutant({ files, names }, mutant, cache) {
  const failure = await failureWith(mutant, files, [names], cache)
  if (failure) return failure
  const path = mutant.slice(0, mutant.lastIndexOf(':')).replace(/\.tsx?$/, '')
  const beside = [`${path}.test.ts`, `${path}.test.tsx`].filter((file) => existsSync(inRepository(file)))
  const other = await failureWith(mutant, [...new Set([...files, ...beside])], [], cache)
  return other && byAnother + other
}

/**
 * @param {string} mutant
 * @param {string[]} files
 * @param {RegExp[]} names of the tests; all of them if empty
 * @param {string} cache
 */
async function failureWith(mutant, files, names, cache) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-mutate-'))
  try {
    const env = { [mutantVariable]: mutant, [cacheVariable]: cache }
    // One worker loads the modules that these files share once.
    const options = ['--bail=1', '--maxWorkers=1']
    const { end, failures } = await runVitest(folder, files, names, options, env, limitMs)
    return failures[0] ? textOfFailure(failures[0]) : end
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {import('../steps.mjs').Failure} failure */
const textOfFailure = ({ test, error }) => `${test}: ${error.split('\n')[0]}`

/**
 * @param {string} folder for the report
 * @param {string[]} files
 * @param {RegExp[]} names of the tests; all of them if empty
 * @param {string[]} options of Vitest
 * @param {Record<string, string>} env
 * @param {number} limit in milliseconds
 * @returns {Promise<{ end?: string, failures: import('../steps.mjs').Failure[] }>}
 */
async function runVitest(folder, files, names, options, env, limit) {
  const report = join(folder, 'report.json')
  const pattern = names.map(({ source }) => source).join('|')
  const all = [
    '--config=scripts/lib/mutation/vitest.config.mjs',
    ...(pattern ? [`--testNamePattern=${pattern}`] : []),
    `--reporter=${inRepository('scripts/lib/vitest-reporter.mjs')}`,
    ...options,
    ...files,
  ]
  const variables = { ...env, [reportVariable]: report, [patienceVariable]: String(patienceMs) }
  const end = await exitOf([commandOf('vitest'), 'run', ...all], variables, limit)
  return { end, failures: existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')).failures ?? []) : [] }
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
