// Finds the programs that tests need besides npm packages, and installs them: only in CI and by `npm run setup`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { withProgress } from './progress.mjs'
import { commandOf, requireFromRoot } from './repository.mjs'
import { run } from './run.mjs'

/**
 * The Chromium of the tests: `CHROMIUM_PATH`, or else the system's, or else Playwright's.
 * @returns {string | undefined}
 */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  // Started, since Ubuntu's package of that name only refers to a snap.
  return names.map(onPath).find((path) => path !== undefined && starts(path)) ?? playwrightsChromium()
}

/** Installs Chromium if it is missing: Debian's package, or else Playwright's download. */
async function installChromium() {
  if (findChromium()) return
  await installDebianPackage('chromium')
  if (findChromium()) return
  const withSystemLibraries = isRoot() ? ['--with-deps'] : []
  const install = [process.execPath, commandOf('playwright'), 'install', ...withSystemLibraries, 'chromium']
  const { exitCode, output } = await withProgress("Downloading Playwright's Chromium", () =>
    run(install, { quiet: true }),
  )
  if (exitCode !== 0) console.error(output)
}

/** The installed kubectl. */
export const findKubectl = () => onPath('kubectl')

/** Installs the programs that are missing, as far as this user may. */
export async function installTools() {
  await installChromium()
  if (!findKubectl()) await installDebianPackage('kubernetes-client')
}

/**
 * Finds the programs that tests need, and says how to get those that are missing. Only CI installs them unasked.
 * @returns {Promise<{ chromium?: string, kubectl?: string }>}
 */
export async function findTools() {
  if (process.env.CI) await installTools()
  const tools = { chromium: findChromium(), kubectl: findKubectl() }
  if (!tools.chromium) console.error('Chromium was not found: set CHROMIUM_PATH, or install it with `npm run setup`.')
  if (!tools.kubectl) console.error('kubectl was not found: add it to the PATH, or install it with `npm run setup`.')
  return tools
}

function playwrightsChromium() {
  const path = requireFromRoot('playwright-core').chromium.executablePath()
  return existsSync(path) ? path : undefined
}

/**
 * Absolute path of a command on the PATH.
 * @param {string} command
 */
const onPath = (command) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path))

/** @param {string} command */
const starts = (command) => spawnSync(command, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

const isRoot = () => process.getuid?.() === 0

/** Whether Debian packages can be installed. */
const mayInstallPackages = () => isRoot() && onPath('apt-get') !== undefined

/** @param {string} name */
async function installDebianPackage(name) {
  if (!mayInstallPackages()) return
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await withProgress(`Installing Debian's ${name}`, async () => {
    const update = await run(['apt-get', 'update'], { quiet: true, env })
    const install = await run(['apt-get', 'install', '-y', '--no-install-recommends', name], { quiet: true, env })
    if (install.exitCode !== 0) console.error(`${update.output}${install.output}`)
  })
}
