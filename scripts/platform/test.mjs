import { isControlPlaneBuilt } from '../control-plane/build.mjs'
import { inRepository } from '../lib/repository.mjs'
import { run } from '../lib/run.mjs'
import { skippedStep } from '../lib/steps.mjs'
import { runVitest } from '../lib/suites.mjs'
import { platformPrograms } from './build.mjs'
import { findContainerPrograms } from './containers.mjs'

/** @typedef {import('../lib/steps.mjs').Outcome} Outcome */

/**
 * Tekton's controller serves probes and profiles on all interfaces, so it runs in a network namespace that has only the
 * loopback interface. Users other than root get one together with a namespace of users, if the system allows that.
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

export const noNamespace = 'they need a network namespace: Linux with unshare and ip, and the right to use them.'

/**
 * What the tests read from their environment. The programs must have been built.
 * @param {string} kubectl
 */
function environment(kubectl) {
  const { controller, config, tkn, tknResults } = platformPrograms()
  return {
    TEKTON_CONTROLLER: controller,
    TEKTON_CONFIG: config,
    TKN: tkn,
    TKN_RESULTS: tknResults,
    KUBECTL: kubectl,
  }
}

const config = 'vitest.platform.config.ts'

/**
 * Runs the tests against programs of the platform, which must have been built.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {string} kubectl
 * @returns {Promise<Outcome>}
 */
export function runPlatformTests(prefix, kubectl) {
  return runVitest({ config, project: 'platform', env: environment(kubectl), prefix })
}

/**
 * Runs the tests of Tekton's webhook on a kube-apiserver, since the embedded API server calls no webhooks.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {string} kubectl
 * @returns {Promise<Outcome>}
 */
export async function runWebhookTests(prefix, kubectl) {
  if (!isControlPlaneBuilt()) return skippedStep('npm run test:platform builds kube-apiserver and runs them.')
  return runVitest({
    config,
    project: 'webhook',
    env: { ...environment(kubectl), TEKTON_WEBHOOK: platformPrograms().webhook },
    prefix: [...prefix, process.execPath, inRepository('scripts/platform/on-control-plane.mjs')],
  })
}

/**
 * Runs the tests in which Tekton's pods run, where this system can run containers.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {string} kubectl
 * @returns {Promise<Outcome>}
 */
export async function runContainerTests(prefix, kubectl) {
  const { programs, problem } = findContainerPrograms()
  if (!programs) return skippedStep(problem)
  const { entrypoint, nop, workingdirinit } = platformPrograms()
  return runVitest({
    config,
    project: 'containers',
    env: {
      ...environment(kubectl),
      TEKTON_IMAGES: JSON.stringify({ entrypoint, nop, workingdirinit }),
      RUNC: programs.runc,
      BUSYBOX: programs.busybox,
    },
    prefix,
  })
}
