// Installs the programs that tests need besides npm packages, as far as this user may and without asking.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { kubernetesVersion } from '../control-plane/build.mjs'
import { withProgress } from './progress.mjs'
import { commandOf } from './repository.mjs'
import { run } from './run.mjs'
import {
  findKubectl,
  findPostgres,
  findTestChromium,
  headlessShell,
  ownKubectl,
  playwrightsChromium,
} from './tools.mjs'

/**
 * @typedef {'Chromium' | 'kubectl' | 'PostgreSQL'} Program
 * @typedef {'install package' | 'unpack package' | 'download'} Method
 *
 * @typedef {object} System what decides how a program can be installed
 * @property {'debian' | 'ubuntu' | 'macos' | 'other'} family
 * @property {boolean} isRoot
 */

/**
 * The ways to install a program on a system, best first. Debian's packages come first, since they also bring the
 * libraries they need; without root, they can be unpacked, which is enough for kubectl. Ubuntu's packages of these programs
 * only refer to snaps, except for PostgreSQL, which is too many libraries to unpack or download.
 * @param {Program} program
 * @param {System} system
 * @returns {Method[]}
 */
export function methodsFor(program, { family, isRoot }) {
  if (program === 'PostgreSQL') return isRoot && (family === 'debian' || family === 'ubuntu') ? ['install package'] : []
  if (family !== 'debian') return ['download']
  if (isRoot) return ['install package', 'download']
  return program === 'kubectl' ? ['unpack package', 'download'] : ['download']
}

/**
 * The command with which a user installs a program that this script could not install.
 * @param {Program} program
 * @param {System & { lacksLibraries: boolean }} system `lacksLibraries`: Playwright's Chromium is there but does not start
 */
export function remedyFor(program, { family, isRoot, lacksLibraries }) {
  const asRoot = isRoot ? '' : 'sudo '
  if (program === 'Chromium' && (family === 'ubuntu' || family === 'other') && lacksLibraries) {
    return `${asRoot}npx playwright install-deps chromium`
  }
  if (program === 'PostgreSQL') {
    if (family === 'macos') return 'brew install postgresql'
    return family === 'other' ? `${asRoot}dnf install postgresql-server` : `${asRoot}apt-get install postgresql`
  }
  switch (family) {
    case 'debian':
      return `${asRoot}apt-get install ${debianPackages[program]}`
    case 'ubuntu':
      return `${asRoot}snap install ${program === 'kubectl' ? 'kubectl --classic' : 'chromium'}`
    case 'macos':
      return `brew install ${program === 'kubectl' ? 'kubernetes-cli' : '--cask chromium'}`
    case 'other':
      return program === 'kubectl'
        ? `curl --fail --location --create-dirs --output .cache/tools/kubectl ${kubectlUrl()} && chmod +x .cache/tools/kubectl`
        : 'npx playwright install chromium'
  }
}

/** @type {Record<Program, string>} */
const debianPackages = { Chromium: headlessShell, kubectl: 'kubernetes-client', PostgreSQL: 'postgresql' }

/** @type {Record<Program, () => string | undefined>} */
const finders = { Chromium: findTestChromium, kubectl: findKubectl, PostgreSQL: findPostgres }

/**
 * Installs a program if it is missing.
 * @param {Program} program
 * @returns {Promise<{ path?: string, problem: string }>} without `path`, `problem` says how to install it
 */
export async function ensureTool(program) {
  const find = finders[program]
  const system = readSystem()
  for (const method of find() ? [] : methodsFor(program, system)) {
    const error = await withProgress(`Installing ${program} (${method})`, () => install(program, method))
    if (find()) break
    console.error(error || `${program} was installed, but does not start.`)
  }
  const lacksLibraries = program === 'Chromium' && existsSync(playwrightsChromium())
  const remedy = remedyFor(program, { ...system, lacksLibraries })
  return { path: find(), problem: `${program} is missing and could not be installed. This installs it: ${remedy}` }
}

/** A slow connection needs minutes; one that hangs must not stop the tests. */
const timeoutMs = 600_000

/**
 * @param {Program} program
 * @param {Method} method
 * @returns {Promise<string>} the error; empty if there is none
 */
async function install(program, method) {
  if (method === 'install package') {
    return program === 'PostgreSQL' ? installPostgres() : runAll(installCommands(debianPackages[program]))
  }
  if (method === 'unpack package') return unpackPackage(debianPackages.kubectl, 'usr/bin/kubectl', ownKubectl)
  return program === 'kubectl' ? downloadProgram(kubectlUrl(), ownKubectl) : downloadChromium()
}

/** @param {string} name of a package of Debian */
const installCommands = (name) => [
  ['apt-get', 'update'],
  ['apt-get', 'install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', name],
]

/** Installing the server would also create a database and start it, unless this file says otherwise. */
function installPostgres() {
  const settings = '/etc/postgresql-common/createcluster.conf'
  return runAll([
    ...installCommands('postgresql-common'),
    ['sed', '-i', 's/^#\\?create_main_cluster .*/create_main_cluster = false/', settings],
    ...installCommands(debianPackages.PostgreSQL).slice(1),
  ])
}

/**
 * Downloads a package of Debian, with package lists of our own, since those of the system are root's and may be missing.
 * @param {string} name
 * @param {string} file the program in it
 * @param {string} path where to put the program
 * @returns {Promise<string>} the error; empty if there is none
 */
export async function unpackPackage(name, file, path) {
  mkdirSync(dirname(path), { recursive: true })
  const folder = mkdtempSync(join(dirname(path), 'package-'))
  try {
    for (const each of ['lists', 'cache']) mkdirSync(join(folder, each))
    const apt = ['apt-get', '-o', `Dir::State::Lists=${folder}/lists`, '-o', `Dir::Cache=${folder}/cache`]
    const unpack = ['sh', '-c', `dpkg-deb -x ${name}_*.deb unpacked`]
    const error = await runAll([[...apt, 'update'], [...apt, 'download', name], unpack], folder)
    if (!error) renameSync(join(folder, 'unpacked', file), path)
    return error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function downloadChromium() {
  const withLibraries = process.getuid?.() === 0 ? ['--with-deps'] : []
  return runAll([[process.execPath, commandOf('playwright'), 'install', ...withLibraries, 'chromium']])
}

const kubectlUrl = () => {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  return `https://dl.k8s.io/release/${kubernetesVersion().version}/bin/${process.platform}/${architecture}/kubectl`
}

/**
 * Downloads a program whose SHA-256 checksum is published at the same address followed by `.sha256`.
 * @param {string} url
 * @param {string} path
 * @param {number} [withinMs]
 * @returns {Promise<string>} the error; empty if there is none
 */
export async function downloadProgram(url, path, withinMs = timeoutMs) {
  const signal = AbortSignal.timeout(withinMs)
  const download = async (/** @type {string} */ address) => {
    const response = await fetch(address, { signal })
    if (!response.ok) throw new Error(`It was answered with status ${response.status}.`)
    return Buffer.from(await response.arrayBuffer())
  }
  try {
    const [program, checksum] = await Promise.all([download(url), download(`${url}.sha256`)])
    if (createHash('sha256').update(program).digest('hex') !== checksum.toString().trim()) {
      return `${url} does not have its published checksum.`
    }
    mkdirSync(dirname(path), { recursive: true })
    // Renamed once complete, so that an interrupted download leaves nothing that looks like a program.
    writeFileSync(`${path}.${process.pid}`, program, { mode: 0o755 })
    renameSync(`${path}.${process.pid}`, path)
    return ''
  } catch (error) {
    const { message, cause } = /** @type {Error} */ (error)
    return `${url} could not be downloaded: ${cause instanceof Error ? cause.message : message}`
  }
}

/**
 * Runs commands one by one, until one fails.
 * @param {string[][]} commands
 * @param {string} [cwd]
 * @returns {Promise<string>} the output of the one that failed; empty if none did
 */
async function runAll(commands, cwd) {
  const env = { DEBIAN_FRONTEND: 'noninteractive', PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' }
  for (const command of commands) {
    const { exitCode, output } = await run(command, { quiet: true, env, cwd, timeoutMs })
    if (exitCode !== 0) return output || `${command.join(' ')} exited with code ${exitCode}.`
  }
  return ''
}

/** @returns {System} */
function readSystem() {
  const isRoot = process.getuid?.() === 0
  if (process.platform === 'darwin') return { family: 'macos', isRoot }
  return { family: linuxFamily(readIfPresent('/etc/os-release')), isRoot }
}

/**
 * @param {string} release text of `/etc/os-release`
 * @returns {System['family']}
 */
export function linuxFamily(release) {
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap(([, ids = '']) => ids.split(' '))
  if (ids.includes('ubuntu')) return 'ubuntu'
  return ids.includes('debian') ? 'debian' : 'other'
}

/** @param {string} path */
const readIfPresent = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
