import { readFileSync } from 'node:fs'
import { inRepository } from './repository.mjs'

/**
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {string} [license]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 * @property {boolean} [link]
 * @property {string} [resolved] of a link, the folder that it leads to
 *
 * @typedef {Record<string, LockedPackage>} LockedPackages path of each package -> package
 */

/** @returns {LockedPackages} of the repository */
export const lockedPackages = () => JSON.parse(readFileSync(inRepository('package-lock.json'), 'utf8')).packages

/**
 * The packages that others need, with everything that these need in turn.
 * @param {LockedPackages} locked
 * @param {string[]} names
 * @param {string} [from] path of the package that needs them; by default the root
 * @returns {LockedPackages}
 */
export function closureOf(locked, names, from = '') {
  /** @type {LockedPackages} */
  const found = {}
  const visit = (/** @type {string} */ name, /** @type {string} */ parent, isOptional = false) => {
    const path = resolve(locked, name, parent)
    const entry = path === undefined ? undefined : locked[path]
    if (path === undefined || !entry) {
      if (isOptional) return
      throw new Error(`${name}, which ${parent || 'the root'} needs, is not in package-lock.json.`)
    }
    if (path in found) return
    found[path] = entry
    const at = entry.link && entry.resolved ? entry.resolved : path
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = locked[at] ?? entry
    const peers = Object.keys(peerDependencies).filter((each) => !peerDependenciesMeta[each]?.optional)
    for (const each of [...Object.keys(dependencies), ...peers]) visit(each, at)
    for (const each of Object.keys(optionalDependencies)) visit(each, at, true)
  }
  for (const name of names) visit(name, from)
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * As Node looks for it: in the folder of the package, then in those above.
 * @param {LockedPackages} locked @param {string} name @param {string} from
 * @returns {string | undefined}
 */
function resolve(locked, name, from) {
  const folders = from.split('/')
  for (let count = folders.length; count >= 0; count--) {
    const path = [...folders.slice(0, count), 'node_modules', name].filter(Boolean).join('/')
    if (path in locked) return path
  }
  return undefined
}
