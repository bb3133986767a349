// Finds the programs that end-to-end tests need besides npm packages, or installs them if permitted.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { withProgress } from './progress.mjs'
import { commandOf, requireFromRoot } from './repository.mjs'
import { run } from './run.mjs'

/**
 * An installed Chromium: `CHROMIUM_PATH`, or else the system's.
 * @returns {string | undefined}
 */
export function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return process.env.CHROMIUM_PATH || names.map(onPath).find((path) => path !== undefined && starts(path))
}

/**
 * A Chromium for the tests: an installed one, else Debian's package, else Playwright's download.
 * @returns {Promise<string | undefined>} path of the executable; `undefined` if none is available
 */
export async function provideChromium() {
  const found = findChromium() ?? playwrightsChromium()
  if (found) return found
  await installDebianPackage('chromium')
  // This check starts it: Ubuntu's package of that name only refers to a snap.
  const installed = findChromium()
  if (installed) return installed
  const withSystemLibraries = isRoot() ? ['--with-deps'] : []
  const install = [process.execPath, commandOf('playwright'), 'install', ...withSystemLibraries, 'chromium']
  const { exitCode, output } = await withProgress("Downloading Playwright's Chromium", () =>
    run(install, { quiet: true }),
  )
  if (exitCode !== 0) console.error(output)
  return playwrightsChromium()
}

/** The installed kubectl. */
export const findKubectl = () => onPath('kubectl')

/** A kubectl for the tests; `undefined` if none is available. */
export async function provideKubectl() {
  if (!findKubectl()) await installDebianPackage('kubernetes-client')
  return findKubectl()
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
export const mayInstallPackages = () => isRoot() && onPath('apt-get') !== undefined

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
