// This file may only use features of Node 14, since it must run where the rest cannot.
import { readFileSync } from 'node:fs'

/**
 * Whether `version` is within `range`. Supports the syntax of our `engines`: `^a.b.c`, `>=a[.b[.c]]` and `||`.
 * @param {string} version version such as `20.19.0`, with an optional leading `v`
 * @param {string} range
 */
export function satisfies(version, range) {
  const actual = numbers(version)
  return range.split('||').some((part) => {
    const alternative = part.trim()
    const least = numbers(alternative.replace(/^(\^|>=)/, ''))
    if (compare(actual, least) < 0) return false
    return !alternative.startsWith('^') || actual[0] === least[0]
  })
}

/** Exits with a clear message if this version of Node is not in the `engines` of package.json. */
export function requireSupportedNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  if (satisfies(process.version, engines.node)) return
  console.error(
    `Slipway requires Node ${readable(engines.node)}, but this is Node ${process.version.slice(1)}. ` +
      'Install a supported version from https://nodejs.org and try again.',
  )
  process.exit(1)
}

/** @param {string} range */
const readable = (range) =>
  range
    .replace(/\^(\d+)\.(\d+)\.\d+/g, '$1 (from $1.$2)')
    .replace(/>=(\d+)/g, '$1 or newer')
    .split(' || ')
    .join(', ')

/** @param {string} version */
const numbers = (version) => version.replace(/^v/, '').split(/[.-]/).slice(0, 3).map(Number)

/**
 * @param {number[]} left
 * @param {number[]} right
 */
function compare(left, right) {
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] || 0) - (right[index] || 0)
    if (difference) return difference
  }
  return 0
}
