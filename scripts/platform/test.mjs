import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isControlPlaneBuilt } from '../control-plane/build.mjs'
import { ensureTool } from '../lib/install-tools.mjs'
import { inRepository } from '../lib/repository.mjs'
import { withProgress } from '../lib/progress.mjs'
import { run } from '../lib/run.mjs'
import { skippedStep } from '../lib/steps.mjs'
import { runVitest } from '../lib/suites.mjs'
import { platformPrograms } from './build.mjs'
import { findContainerPrograms } from './containers.mjs'
import { buildImage, hasBuildah } from './image.mjs'

/**
 * @typedef {import('../lib/steps.mjs').Outcome} Outcome
 *
 * @typedef {object} Tools programs that the tests need besides those of the platform
 * @property {string} kubectl
 * @property {string} postgres
 */

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
 * Finds or installs them.
 * @returns {Promise<{ tools?: Tools, problem: string }>} without `tools`, `problem` says how to install what is missing
 */
export async function ensurePlatformTools() {
  const kubectl = await ensureTool('kubectl')
  const postgres = await ensureTool('PostgreSQL')
  const tools = kubectl.path && postgres.path ? { kubectl: kubectl.path, postgres: postgres.path } : undefined
  return { ...(tools && { tools }), problem: kubectl.path ? postgres.problem : kubectl.problem }
}

export const noNamespace = 'they need a network namespace: Linux with unshare and ip, and the right to use them.'

/**
 * What the tests read from their environment. The programs must have been built.
 * @param {Tools} tools
 */
function environment({ kubectl, postgres }) {
  const { controller, config, tkn, tknResults, resultsApi, resultsWatcher, resultsConfig } = platformPrograms()
  return {
    TEKTON_CONTROLLER: controller,
    TEKTON_CONFIG: config,
    TKN: tkn,
    TKN_RESULTS: tknResults,
    RESULTS_API: resultsApi,
    RESULTS_WATCHER: resultsWatcher,
    RESULTS_CONFIG: resultsConfig,
    KUBECTL: kubectl,
    POSTGRES: postgres,
  }
}

const config = 'vitest.platform.config.ts'

/**
 * Runs the tests against programs of the platform, which must have been built.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {Tools} tools
 * @returns {Promise<Outcome>}
 */
function runPlatformTests(prefix, tools) {
  return runVitest({ config, project: 'platform*', env: environment(tools), prefix })
}

/**
 * Runs the tests of Tekton's webhook on a kube-apiserver, since the embedded API server calls no webhooks.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {Tools} tools
 * @returns {Promise<Outcome>}
 */
async function runWebhookTests(prefix, tools) {
  if (!isControlPlaneBuilt()) return skippedStep('npm run test:platform builds kube-apiserver and runs them.')
  return runVitest({
    config,
    project: 'webhook',
    env: { ...environment(tools), TEKTON_WEBHOOK: platformPrograms().webhook },
    prefix: [...prefix, process.execPath, inRepository('scripts/platform/on-control-plane.mjs')],
  })
}

/**
 * Runs the tests in which Tekton's pods run, where this system can run containers.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @param {Tools} tools
 * @returns {Promise<Outcome>}
 */
async function runContainerTests(prefix, tools) {
  const { programs, problem } = findContainerPrograms()
  if (!programs) return skippedStep(problem)
  const { entrypoint, nop, workingdirinit } = platformPrograms()
  return runVitest({
    config,
    project: 'containers',
    env: {
      ...environment(tools),
      TEKTON_IMAGES: JSON.stringify({ entrypoint, nop, workingdirinit }),
      RUNC: programs.runc,
      BUSYBOX: programs.busybox,
    },
    prefix,
  })
}

/**
 * Runs the tests of the gateway behind oauth2-proxy.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @returns {Promise<Outcome>}
 */
function runFrontProxyTests(prefix) {
  return runVitest({
    config,
    project: 'front-proxy',
    env: { OAUTH2_PROXY: platformPrograms().oauth2Proxy },
    prefix,
  })
}

/**
 * Builds the image, and runs its tests in containers.
 * @param {string[]} prefix as returned by `loopbackOnly`
 * @returns {Promise<Outcome>}
 */
async function runImageTests(prefix) {
  const { programs, problem } = findContainerPrograms()
  if (!programs) return skippedStep(problem)
  if (!hasBuildah()) return skippedStep('they need buildah: apt-get install buildah.')
  const folder = mkdtempSync(join(tmpdir(), 'slipway-image-'))
  try {
    const { root, config: imageConfig } = await withProgress('Building the image', () =>
      buildImage(folder, programs.busybox),
    )
    const env = { IMAGE_ROOT: root, IMAGE_CONFIG: imageConfig, RUNC: programs.runc }
    return await runVitest({ config, project: 'image', env, prefix })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @type {{ name: string, run(prefix: string[], tools: Tools): Promise<Outcome> }[]} `prefix` as returned by `loopbackOnly` */
export const platformSuites = [
  { name: 'Tests on real Tekton', run: runPlatformTests },
  { name: 'Tests on Tekton’s webhook', run: runWebhookTests },
  { name: 'Tests in real containers', run: runContainerTests },
  { name: 'Tests behind a real oauth2-proxy', run: runFrontProxyTests },
  { name: 'Tests of the image', run: runImageTests },
]
