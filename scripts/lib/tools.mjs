// Finds the programs that tests need besides npm packages.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inRepository, requireFromRoot } from './repository.mjs'

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Debian's package and command of Chromium without windows, which needs a quarter less of the processor for journeys. */
export const headlessShell = 'chromium-headless-shell'

/**
 * Chromium as users have it, for pictures and measurements: `CHROMIUM_PATH`, or else the system's, or else Playwright's.
 * @returns {string | undefined}
 */
export const findChromium = () => firstChromium([...browsers, headlessShell])

/**
 * The Chromium of the tests, without windows if the system has that.
 * @returns {string | undefined}
 */
export const findTestChromium = () => firstChromium([headlessShell, ...browsers])

/** @param {string[]} names best first */
function firstChromium(names) {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const isUsable = (/** @type {string | undefined} */ path) => path !== undefined && starts(path, '--version')
  return names.map(findOnPath).find(isUsable) ?? [playwrightsChromium()].find(isUsable)
}

/** Path of Playwright's own Chromium, whether or not it has been downloaded. */
export const playwrightsChromium = () => String(requireFromRoot('playwright-core').chromium.executablePath())

/** Where `npm test` puts a kubectl that it cannot install for the whole system. */
export const ownKubectl = inRepository('.cache/tools/kubectl')

/**
 * The kubectl of the tests: `KUBECTL`, or else the system's, or else the repository's own.
 * @returns {string | undefined}
 */
export function findKubectl() {
  if (process.env.KUBECTL) return process.env.KUBECTL
  return [findOnPath('kubectl'), ownKubectl].find((path) => path && starts(path, 'version', '--client'))
}

/** Where Debian and Ubuntu install the programs of PostgreSQL's server, a folder for each version. */
const postgresFolder = '/usr/lib/postgresql'

/**
 * PostgreSQL's server: `POSTGRES`, or else the system's, in its newest version. `initdb` is next to it.
 * @returns {string | undefined}
 */
export function findPostgres() {
  if (process.env.POSTGRES) return process.env.POSTGRES
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder).map(Number) : []
  const newestFirst = versions.filter(Number.isFinite).sort((a, b) => b - a)
  return [
    ...newestFirst.map((version) => join(postgresFolder, `${version}/bin/postgres`)),
    findOnPath('postgres'),
  ].find((path) => path && starts(path, '--version'))
}

/**
 * Absolute path of a command on the PATH.
 * @param {string} command
 */
export const findOnPath = (command) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path))

/**
 * Whether a program can be started: Ubuntu's package `chromium` only refers to a snap, and Playwright's download needs
 * libraries of the system.
 * @param {string} program
 * @param {...string} args
 */
const starts = (program, ...args) => spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
