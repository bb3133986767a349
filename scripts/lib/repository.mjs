import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Root folder of the repository, without a trailing slash. */
export const root = join(import.meta.dirname, '../..')

/** @param {...string} segments */
export const inRepository = (...segments) => join(root, ...segments)

/**
 * The script of a package's command, to run with this Node: faster than npx, and the same on every system.
 * @param {string} packageName
 * @param {string} command defaults to the package's name
 */
export function commandOf(packageName, command = packageName) {
  const folder = inRepository('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/**
 * The npm that runs this script, or else the one on the path.
 * @returns {[command: string, ...args: string[]]}
 */
export function npmCommand() {
  const runner = process.env.npm_execpath
  if (runner?.endsWith('npm-cli.js')) return [process.execPath, runner]
  const npmNextToNode = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  return existsSync(npmNextToNode) ? [process.execPath, npmNextToNode] : ['npm']
}

/** Resolves modules from the repository's root, whatever the importing file. */
export const requireFromRoot = createRequire(join(root, 'package.json'))
