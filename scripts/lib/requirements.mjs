import { createHash } from 'node:crypto'
import { areaOf } from './proof.mjs'

const idPattern = /[A-Z]{2,7}-\d{2,3}/

/**
 * The ids of a requirements list: the first cell of each table row. Struck-through ids no longer hold.
 * @param {string} markdown
 * @returns {string[]}
 */
export const requirementIds = (markdown) =>
  [...markdown.matchAll(new RegExp(`^\\| *(${idPattern.source}) *\\|`, 'gm'))].map((match) => match[1] ?? '')

/**
 * The texts of the requirements by id.
 * @param {string} markdown
 * @returns {Map<string, string>}
 */
export function requirementTexts(markdown) {
  const rows = markdown.matchAll(new RegExp(`^\\| *(${idPattern.source}) *\\|(.*)\\|\\s*$`, 'gm'))
  return new Map([...rows].map(([, id = '', text = '']) => [id, text.trim()]))
}

/**
 * A checksum of the rows of a requirements list, struck-through ones included, whatever the width of its columns.
 * @param {string} markdown
 */
export function checksumOf(markdown) {
  const rows = [...markdown.matchAll(new RegExp(`^\\| *(?:~~)?${idPattern.source}(?:~~)? *\\|.*$`, 'gm'))]
  const text = rows.map(([row]) => row.replaceAll(/ *\| */g, '|').trim()).join('\n')
  return createHash('sha256').update(text).digest('hex')
}

/**
 * What was recorded of the list, and how many of its requirements were proven.
 * @typedef {{ list: { total: number, sha256: string }, proven: number }} Recorded
 *
 * @param {Recorded} recorded
 * @param {Recorded} found
 * @returns {string[]} one message for each difference that is not allowed
 */
export function differences(recorded, found) {
  /** @type {string[]} */
  const problems = []
  if (found.list.sha256 !== recorded.list.sha256 || found.list.total !== recorded.list.total) {
    problems.push(`docs/requirements.md is not the list of ${recorded.list.total} requirements that was recorded.`)
  }
  if (found.proven < recorded.proven) {
    problems.push(`${recorded.proven} requirements were proven before; now only ${found.proven} are.`)
  }
  return problems
}

/**
 * @typedef {{ area: string, total: number, proven: number, uncited: string[], doubted: Map<string, string[]> }} Area
 */

/**
 * Per area (the part of an id before the dash), in the order of the list: how many requirements there are, which are
 * not cited, and why the citations of others prove nothing.
 * @param {string[]} required
 * @param {Set<string>} proven
 * @param {Map<string, Set<string>>} doubts
 * @returns {Area[]}
 */
export function coverage(required, proven, doubts) {
  /** @type {Map<string, Area>} */
  const areas = new Map()
  for (const id of required) {
    const area = areaOf(id)
    /** @type {Area} */
    const entry = areas.get(area) ?? { area, total: 0, proven: 0, uncited: [], doubted: new Map() }
    areas.set(area, entry)
    entry.total++
    const why = [...(doubts.get(id) ?? [])].sort().join(', ')
    if (proven.has(id)) entry.proven++
    else if (!why) entry.uncited.push(id)
    else entry.doubted.set(why, [...(entry.doubted.get(why) ?? []), id])
  }
  return [...areas.values()]
}

/**
 * Ids of one area in short: `['LIVE-01', 'LIVE-02', 'LIVE-03', 'LIVE-07']` is `01-03, 07`.
 * @param {string[]} ids in ascending order
 */
export function ranges(ids) {
  /** @type {string[][]} */
  const runs = []
  for (const number of ids.map((id) => id.slice(areaOf(id).length + 1))) {
    const run = runs.at(-1)
    if (run && Number(run.at(-1)) + 1 === Number(number)) run.push(number)
    else runs.push([number])
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]}-${run.at(-1)}` : run[0])).join(', ')
}
