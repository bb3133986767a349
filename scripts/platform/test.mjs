import { ensureTool } from '../lib/install-tools.mjs'
import { run } from '../lib/run.mjs'
import { runVitest } from '../lib/suites.mjs'
import { platformPrograms } from './build.mjs'

/** @typedef {import('../lib/steps.mjs').Outcome} Outcome */

/**
 * Tekton's controller and Tekton Results serve metrics and profiles on all interfaces, so they run in a network namespace
 * that has only the loopback interface. Users other than root get one together with a namespace of users, if the system allows that.
 */
const unshareCommands = [
  ['unshare', '--net'],
  ['unshare', '--map-root-user', '--net'],
].map((unshare) => [...unshare, 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'])

/** The command that starts another in a network of its own; `undefined` if this system cannot. */
export async function loopbackOnly() {
  for (const command of unshareCommands) {
    const { exitCode } = await run([...command, 'true'], { quiet: true })
    if (exitCode === 0) return command
  }
  return undefined
}

/**
 * Finds or installs the programs that the tests need besides those of the platform.
 * @returns {Promise<{ tools?: { kubectl: string, postgres: string }, problem: string }>} without `tools`, `problem` says
 *   how to install what is missing
 */
export async function ensurePlatformTools() {
  const kubectl = await ensureTool('kubectl')
  const postgres = await ensureTool('PostgreSQL')
  const tools = kubectl.path && postgres.path ? { kubectl: kubectl.path, postgres: postgres.path } : undefined
  return { ...(tools && { tools }), problem: kubectl.path ? postgres.problem : kubectl.problem }
}

export const noNamespace = 'they need a network namespace: Linux with unshare and ip, and the right to use them.'

/**
 * Runs the tests against programs of the platform, which must have been built.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {{ kubectl: string, postgres: string }} tools
 * @returns {Promise<Outcome>}
 */
export function runPlatformTests(prefix, { kubectl, postgres }) {
  const { controller, config, tkn, tknResults, resultsApi, resultsWatcher, resultsConfig } = platformPrograms()
  return runVitest({
    config: 'vitest.platform.config.ts',
    env: {
      TEKTON_CONTROLLER: controller,
      TEKTON_CONFIG: config,
      TKN: tkn,
      TKN_RESULTS: tknResults,
      RESULTS_API: resultsApi,
      RESULTS_WATCHER: resultsWatcher,
      RESULTS_CONFIG: resultsConfig,
      KUBECTL: kubectl,
      POSTGRES: postgres,
    },
    prefix,
  })
}
