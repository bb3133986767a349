import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { ExitError } from './exit-error.mjs'
import { filesUnder } from './files.mjs'
import { withProgress } from './progress.mjs'
import { commandOf, inRepository } from './repository.mjs'
import { run } from './run.mjs'

/**
 * @typedef {object} Artifact
 * @property {string} label
 * @property {string} folder folder of the package, relative to the repository; its output is in `dist`
 * @property {string[]} inputs files and folders, relative to the repository; missing ones are allowed
 * @property {() => string[]} command command to run in the package's folder
 */

/** @type {Artifact[]} */
const artifacts = [
  {
    label: 'Building the console',
    folder: 'packages/console',
    inputs: ['kube', 'model', 'console'].flatMap(packageInputs),
    command: () => [process.execPath, commandOf('vite'), 'build', '--manifest', '--logLevel', 'warn'],
  },
  {
    label: 'Building the slipway command',
    folder: 'packages/slipway',
    inputs: [
      'kube',
      'views',
      'model',
      'sqlite',
      'connect',
      'apiserver',
      'archive',
      'gateway',
      'simulator',
      'slipway',
    ].flatMap(packageInputs),
    command: () => [process.execPath, commandOf('tsdown'), '--log-level', 'warn'],
  },
]

/** Builds only stale artifacts. */
export async function ensureBuilt() {
  for (const artifact of artifacts) {
    const hash = contentHash([...artifact.inputs, 'package-lock.json', 'tsconfig.base.json'])
    const stamp = inRepository(artifact.folder, 'dist', '.inputs')
    if (contentOf(stamp) === hash) continue
    await withProgress(artifact.label, async () => {
      const cwd = inRepository(artifact.folder)
      const { exitCode, output } = await run(artifact.command(), { cwd, quiet: true, env: { NODE_ENV: 'production' } })
      if (exitCode !== 0) throw new ExitError(`${artifact.label} failed (see above).`, output)
    })
    writeFileSync(stamp, hash)
  }
}

/** @param {string} name */
function packageInputs(name) {
  const inputs = ['src', 'public', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts', 'tsdown.config.ts']
  return inputs.map((input) => `packages/${name}/${input}`)
}

/**
 * Hashes the names and contents of files and folders, without tests.
 * @param {string[]} paths relative to the repository
 */
function contentHash(paths) {
  const hash = createHash('sha256')
  const files = paths.flatMap(filesUnder).filter((path) => !/\.test\.tsx?$/.test(path))
  for (const path of files) hash.update(`\0${path}\0`).update(readFileSync(inRepository(path)))
  return hash.digest('hex')
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // never built
  }
}
