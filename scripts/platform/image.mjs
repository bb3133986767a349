// Builds the image of the Containerfile without a registry of images: on a base of Debian's BusyBox and C library, and of
// the packages of Node and npm.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureBuilt } from '../lib/build.mjs'
import { ExitError } from '../lib/exit-error.mjs'
import { packSlipway } from '../lib/package.mjs'
import { newestNode } from '../lib/other-nodes.mjs'
import { inRepository, npmCommand } from '../lib/repository.mjs'
import { run } from '../lib/run.mjs'
import { findOnPath } from '../lib/tools.mjs'

const npmVersion = 11

export const hasBuildah = () => findOnPath('buildah') !== undefined

/**
 * Builds it, and unpacks it. Packages come from the registry, unless npm has them in its cache.
 * @param {string} folder an empty folder
 * @param {string} busybox path of a static BusyBox
 * @returns {Promise<{ root: string, config: string }>} its root file system, and a file with its configuration
 */
export async function buildImage(folder, busybox) {
  const at = (/** @type {string[]} */ ...names) => join(folder, ...names)
  const context = at('context')
  mkdirSync(join(context, 'dist'), { recursive: true })
  await ensureBuilt()
  await packSlipway(join(context, 'dist'))
  copyFileSync(inRepository('Containerfile'), join(context, 'Containerfile'))

  await layOutBase(at('base'), at('packages'), busybox)
  writeFileSync(at('base.containerfile'), 'FROM scratch\nCOPY base /\n')
  const cache = (await runOrFail([...npmCommand(), 'config', 'get', 'cache'], folder)).trim()
  const store = ['--root', at('store'), '--runroot', at('run'), '--storage-driver', 'vfs']
  // Without namespaces of its own, which a build in a container may not create.
  const build = ['buildah', ...store, 'build', '--isolation', 'chroot']
  await runOrFail([...build, '--tag', 'localhost/base', '--file', at('base.containerfile'), folder])
  const args = ['--build-arg', 'BASE=localhost/base', '--build-arg', 'VERSION=1.2.3', '--build-arg', 'REVISION=abc']
  const options = ['--format', 'docker', '--volume', `${cache}:/root/.npm`]
  await runOrFail([...build, ...args, ...options, '--tag', 'localhost/slipway', context])

  const container = (await runOrFail(['buildah', ...store, 'from', 'localhost/slipway'])).trim()
  const mounted = (await runOrFail(['buildah', ...store, 'mount', container])).trim()
  cpSync(mounted, at('root'), { recursive: true, verbatimSymlinks: true })
  const inspected = JSON.parse(await runOrFail(['buildah', ...store, 'inspect', container]))
  // The format of Docker: that of OCI has no health check.
  writeFileSync(at('config.json'), JSON.stringify(inspected.Docker.config))
  for (const name of ['base', 'packages', 'context']) rmSync(at(name), { recursive: true })
  return { root: at('root'), config: at('config.json') }
}

/** What the base needs of BusyBox. */
const applets = ['sh', 'tar', 'env', 'ls', 'touch', 'id']

/** @param {string} base @param {string} packages folder to install npm packages in @param {string} busybox */
async function layOutBase(base, packages, busybox) {
  for (const name of ['bin', 'usr/bin', 'usr/local/bin', 'usr/local/lib/node_modules', 'etc', 'proc', 'dev', 'root']) {
    mkdirSync(join(base, name), { recursive: true })
  }
  mkdirSync(join(base, 'tmp'))
  chmodSync(join(base, 'tmp'), 0o1777)
  copyFileSync(busybox, join(base, 'bin/busybox'))
  chmodSync(join(base, 'bin/busybox'), 0o755)
  for (const name of applets) symlinkSync('busybox', join(base, 'bin', name))
  symlinkSync('/bin/busybox', join(base, 'usr/bin/env'))
  writeFileSync(join(base, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  copyFileSync('/etc/resolv.conf', join(base, 'etc/resolv.conf'))
  writeFileSync(join(base, 'etc/nsswitch.conf'), 'hosts: files dns\n')

  mkdirSync(packages)
  writeFileSync(join(packages, 'package.json'), '{}')
  const nodePackage = `node-linux-${process.arch}`
  const specs = [`${nodePackage}@${newestNode}`, `npm@${npmVersion}`]
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await runOrFail([...npmCommand(), 'install', ...flags, ...specs], packages)
  const node = join(packages, 'node_modules', nodePackage, 'bin/node')
  copyFileSync(node, join(base, 'usr/local/bin/node'))
  chmodSync(join(base, 'usr/local/bin/node'), 0o755)
  cpSync(join(packages, 'node_modules/npm'), join(base, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'))
  for (const library of librariesOf(node)) {
    mkdirSync(join(base, dirname(library)), { recursive: true })
    copyFileSync(library, join(base, library))
  }
}

/** @param {string} program @returns {string[]} the paths of the shared libraries that it loads */
function librariesOf(program) {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' })
  const loaded = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
  // It is loaded to resolve names.
  const resolver = loaded.flatMap((path) => (/\/libc\.so\.6$/.test(path) ? `${dirname(path)}/libresolv.so.2` : []))
  return [...loaded, ...resolver]
}

/** @param {string[]} command @param {string} [cwd] @returns {Promise<string>} its output */
async function runOrFail(command, cwd) {
  const { exitCode, output } = await run(command, { cwd, quiet: true })
  if (exitCode !== 0) throw new ExitError(`${command.join(' ')} failed (see above).`, output)
  return output
}
