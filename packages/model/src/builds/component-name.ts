import { maxSharedNameLength } from '../resource-name'

const suffixLength = 5
const suffixCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** How the name of a component is written: in lower case, with dashes for spaces and dots. */
export const toComponentName = (text: string): string => text.trim().toLowerCase().replace(/[\s.]/g, '-')

/**
 * A name for a component, which meets every rule of names.
 * @param repository name of its repository
 * @param suffix from `randomSuffix`, since several components may come from one repository
 */
export function generateComponentName(repository: string, suffix: string): string {
  const base = toComponentName(repository)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  const named = /^[a-z]/.test(base) ? base : `component-${base}`
  const room = maxSharedNameLength - suffixLength - 1
  return `${named.slice(0, room).replace(/-+$/, '')}-${suffix}`
}

/** @param random returns numbers from 0 to below 1 */
export const randomSuffix = (random: () => number): string =>
  Array.from({ length: suffixLength }, () =>
    suffixCharacters.charAt(Math.floor(random() * suffixCharacters.length)),
  ).join('')
