// This file may only use features of Node 14, since it must run where the rest cannot.
import { readFileSync } from 'node:fs'

/**
 * Whether `version` is within `range`, in the syntax of our `engines`: `^a.b.0`, `>=a` and `||`.
 * @param {string} version as in `process.version`
 * @param {string} range
 */
export function satisfies(version, range) {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  return range.split(' || ').some((part) => {
    const [least = 0, from = 0] = part
      .replace(/^(\^|>=)/, '')
      .split('.')
      .map(Number)
    return part.startsWith('^') ? major === least && minor >= from : major >= least
  })
}

/** Exits with a clear message if this version of Node is not in the `engines` of package.json. */
export function requireSupportedNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  if (satisfies(process.version, engines.node)) return
  console.error(
    `Slipway requires Node ${engines.node}, but this is Node ${process.version.slice(1)}. ` +
      'Install a supported version from https://nodejs.org and try again.',
  )
  process.exit(1)
}
