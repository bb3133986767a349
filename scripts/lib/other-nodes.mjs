import { ExitError } from './exit-error.mjs'
import { run } from './run.mjs'

/** The newest LTS, which the image has. */
export const newestNode = 26

/** The major versions in `engines` of package.json that CI covers. */
const versions = [20, 22, 24, newestNode]

/** @returns {number[]} the supported major versions that this process does not run */
export const otherNodes = () => versions.filter((version) => !process.version.startsWith(`v${version}.`))

/**
 * Fetches a Node as the `node` package of the registry, which npm keeps in its cache.
 * @param {number} version
 * @returns {Promise<string>} path of the program
 */
export async function fetchNode(version) {
  const command = ['npm', 'exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath']
  const { exitCode, output } = await run(command, { quiet: true })
  if (exitCode !== 0) throw new ExitError(`Node ${version} could not be fetched.\n${output}`)
  return output.trim().split('\n').at(-1) ?? ''
}
