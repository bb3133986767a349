import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the repository, without a final slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** @param {...string} segments */
export const inRepository = (...segments) => join(root, ...segments)

/**
 * The script behind a package's command, to be run with this Node: quicker than npx, and the same on every system.
 * @param {string} packageName
 * @param {string} command defaults to the package's name
 */
export function commandOf(packageName, command = packageName) {
  const folder = inRepository('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/**
 * The npm to install with: the one that runs this script, else the one on the path.
 * @returns {[command: string, ...args: string[]]}
 */
export function npmCommand() {
  const runner = process.env.npm_execpath
  if (runner?.endsWith('npm-cli.js')) return [process.execPath, runner]
  const besideNode = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  return existsSync(besideNode) ? [process.execPath, besideNode] : ['npm']
}

/** Resolves from the repository's root, whatever file asks. */
export const requireFromRoot = createRequire(join(root, 'package.json'))
