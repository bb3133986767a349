import { readFileSync } from 'node:fs'
import { inRepository } from '../repository.mjs'

/** @type {Map<string, Set<string>>} */
const known = new Map()

/**
 * A package with those that it consists of when it is used. A package that only its tests need, such as the API server
 * in those of the console, proves nothing about it.
 * @param {string} name of its folder
 * @returns {Set<string>} names of folders
 */
export function packagesIn(name) {
  const found = known.get(name) ?? new Set([name, ...dependenciesOf(name).flatMap((other) => [...packagesIn(other)])])
  known.set(name, found)
  return found
}

/** @param {string} name */
function dependenciesOf(name) {
  const { dependencies = {} } = JSON.parse(readFileSync(inRepository(`packages/${name}/package.json`), 'utf8'))
  return Object.keys(dependencies).flatMap((dependency) => /^@slipway\/(.+)$/.exec(dependency)?.[1] ?? [])
}
