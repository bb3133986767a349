import { existsSync, readFileSync } from 'node:fs'
import { ExitError } from './exit-error.mjs'
import { withProgress } from './progress.mjs'
import { inRepository, npmCommand } from './repository.mjs'
import { run } from './run.mjs'

/**
 * @typedef {{ version?: string, resolved?: string, link?: boolean, optional?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages path of each package -> package
 */

/** Installs the packages in package-lock.json, unless exactly these are already installed. */
export async function ensureInstalled() {
  const locked = packagesOf('package-lock.json')
  if (!locked)
    throw new ExitError('package-lock.json is missing or damaged. Restore it with `git checkout package-lock.json`.')
  const exists = (/** @type {string} */ path) => existsSync(inRepository(path, 'package.json'))
  if (isInstalled(locked, packagesOf('node_modules/.package-lock.json'), exists)) return
  await withProgress('Installing packages (npm ci)', async () => {
    const { exitCode, output } = await run([...npmCommand(), 'ci', '--no-audit', '--no-fund'], { quiet: true })
    if (exitCode !== 0) {
      throw new ExitError('The packages could not be installed (see above). Is the npm registry reachable?', output)
    }
  })
}

/**
 * npm writes a lock file to node_modules, which does not reflect later deletions. Optional packages are specific to one
 * system, and change only together with the package that requires them.
 * @param {LockedPackages} locked
 * @param {LockedPackages | undefined} installed
 * @param {(path: string) => boolean} exists whether a package is in its folder
 */
export function isInstalled(locked, installed, exists) {
  if (!installed) return false
  return Object.entries(locked).every(([path, { version, resolved, link, optional }]) => {
    if (path === '' || optional) return true
    const present = installed[path]
    const isSame = present !== undefined && present.version === version && (!link || present.resolved === resolved)
    return isSame && exists(path)
  })
}

/** @param {string} lockFile */
function packagesOf(lockFile) {
  try {
    /** @type {LockedPackages | undefined} */
    const packages = JSON.parse(readFileSync(inRepository(lockFile), 'utf8')).packages
    return packages
  } catch {
    return undefined // absent, or cut off while being written: both mean "install"
  }
}
