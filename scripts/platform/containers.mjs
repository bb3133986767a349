// Finds out whether this system can run containers, with runc and a static BusyBox, which is the user land of all images.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../lib/go-programs.mjs'
import { unpackPackage } from '../lib/install-tools.mjs'
import { withProgress } from '../lib/progress.mjs'
import { findOnPath } from '../lib/tools.mjs'

/** Debian's and Ubuntu's package of each program, and where the program is in it. */
const packages = {
  runc: { name: 'runc', file: 'usr/sbin/runc' },
  busybox: { name: 'busybox-static', file: 'bin/busybox' },
}

const folder = () => join(cacheFolder(), 'containers')

/**
 * @typedef {{ programs?: { runc: string, busybox: string }, problem: string }} Found without `programs`, `problem` says
 *   why the tests cannot run
 */

/**
 * The programs that the tests run containers with: from the cache, or else the system's.
 * @returns {Found}
 */
export function findContainerPrograms() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return { problem: 'they run containers, which takes Linux and root.' }
  }
  const [runc, busybox] = [find('runc'), find('busybox')]
  if (!runc || !busybox) {
    return { problem: 'they need runc and a static busybox: apt-get install runc busybox-static.' }
  }
  const error = trial(runc, busybox)
  return error
    ? { problem: `this system cannot run containers: ${error}` }
    : { programs: { runc, busybox }, problem: '' }
}

/**
 * Unpacks Debian's packages of programs that are missing, and finds them. Nothing is installed.
 * @returns {Promise<Found>}
 */
export async function ensureContainerPrograms() {
  for (const [program, { name, file }] of Object.entries(packages)) {
    if (find(/** @type {keyof typeof packages} */ (program)) || !findOnPath('dpkg-deb')) continue
    const error = await withProgress(`Unpacking ${name}`, () => unpackPackage(name, file, join(folder(), program)))
    if (error) console.error(error)
  }
  return findContainerPrograms()
}

/** @param {keyof typeof packages} program */
const find = (program) =>
  [join(folder(), program), findOnPath(program)].find((path) => path !== undefined && existsSync(path))

/**
 * Runs a container with a limit of memory, as the tests do.
 * @param {string} runc
 * @param {string} busybox
 * @returns {string | undefined} why it failed
 */
function trial(runc, busybox) {
  const bundle = mkdtempSync(join(tmpdir(), 'container-'))
  try {
    const program = join(bundle, 'rootfs/bin/busybox')
    mkdirSync(join(bundle, 'rootfs/bin'), { recursive: true })
    copyFileSync(busybox, program)
    chmodSync(program, 0o755)
    const limit = 64 * 1024 * 1024
    const name = `slipway-trial-${process.pid}`
    writeFileSync(
      join(bundle, 'config.json'),
      JSON.stringify({
        ociVersion: '1.0.2',
        process: { user: { uid: 0, gid: 0 }, args: ['/bin/busybox', 'true'], cwd: '/' },
        root: { path: 'rootfs', readonly: true },
        mounts: [{ destination: '/proc', type: 'proc', source: 'proc' }],
        linux: {
          cgroupsPath: `/${name}`,
          resources: { memory: { limit, swap: limit } },
          namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })),
        },
      }),
    )
    const flags = ['--root', join(bundle, 'state'), 'run', '--bundle', bundle, name]
    const { status, error, stderr } = spawnSync(runc, flags, { encoding: 'utf8', timeout: 20_000 })
    return status === 0 ? undefined : (error?.message ?? stderr.trim())
  } finally {
    rmSync(bundle, { recursive: true, force: true })
  }
}
