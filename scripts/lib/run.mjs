import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { root } from './repository.mjs'

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] defaults to the repository
 * @property {Record<string, string | undefined>} [env] added to this process's environment
 * @property {boolean} [quiet] return the output instead of showing it
 * @property {boolean} [isInBackground] use only the time that other processes leave idle
 * @property {number} [timeoutMs] kill the command after this time
 *
 * @typedef {object} RunResult
 * @property {number} exitCode 127 if the command could not be started, 124 if it was killed after `timeoutMs`
 * @property {string} output output of a quiet command, both streams
 */

/**
 * Runs a command without an interactive terminal, and waits until it exits.
 * @param {readonly string[]} command
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run([file = '', ...args], options = {}) {
  const { cwd = root, env = {}, quiet = false, isInBackground = false, timeoutMs } = options
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    if (isInBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            child.kill('SIGKILL')
            // Not awaited: processes that the command started may keep its output open.
            for (const stream of [child.stdout, child.stderr]) stream?.destroy()
            resolve({ exitCode: 124, output: `${output}It did not end within ${timeoutMs / 1000} s.\n` })
          }, timeoutMs)
    const end = (/** @type {RunResult} */ result) => {
      clearTimeout(timer)
      resolve(result)
    }
    child.on('error', (error) => end({ exitCode: 127, output: `${output}${error.message}\n` }))
    child.on('close', (code) => end({ exitCode: code ?? 1, output }))
  })
}
