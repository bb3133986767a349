import { createHash } from 'node:crypto'

/**
 * Values in an order that depends on the seed and on their labels alone.
 * @template T
 * @param {number} seed
 * @param {T[]} values
 * @param {(value: T) => string} labelOf
 */
export function shuffle(seed, values, labelOf) {
  const rankOf = (/** @type {T} */ value) =>
    createHash('sha256')
      .update(`${seed} ${labelOf(value)}`)
      .digest('hex')
  const ranked = values.map((value) => ({ value, rank: rankOf(value) }))
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ value }) => value)
}

/**
 * The texts that have the most to do with a query: those that share words with it, several and rare ones counting more,
 * since the one word that is the subject of a module is in all of it. A long text
 * shares words with anything, so its words count less. Those less than half as relevant as
 * the first are left out.
 * @template T
 * @param {string} query
 * @param {T[]} values
 * @param {(value: T) => string} textOf
 * @param {number} count
 * @param {(value: T) => number} [weightOf] a factor of the relevance of a value
 */
export function mostRelevant(query, values, textOf, count, weightOf = () => 1) {
  const sets = values.map((value) => new Set(wordsIn(textOf(value))))
  const wanted = [...new Set(wordsIn(query))].map((word) => {
    const frequency = sets.filter((set) => set.has(word)).length
    return { word, weight: frequency && Math.log(1 + sets.length / frequency) }
  })
  const relevanceOf = (/** @type {Set<string>} */ set) => {
    const shared = wanted.filter(({ word }) => set.has(word))
    return (shared.length * shared.reduce((sum, { weight }) => sum + weight, 0)) / Math.sqrt(1 + set.size)
  }
  const ranked = values
    .map((value, index) => ({ value, relevance: weightOf(value) * relevanceOf(sets[index] ?? new Set()) }))
    .sort((a, b) => b.relevance - a.relevance)
  const least = (ranked[0]?.relevance ?? 0) / 2
  return ranked
    .filter(({ relevance }) => relevance > 0 && relevance >= least)
    .slice(0, count)
    .map(({ value }) => value)
}

/** Whether at least half of the words of a text are in another one. @param {string} text @param {string} other */
export function sharesWords(text, other) {
  const words = [...new Set(wordsIn(text))]
  const known = new Set(wordsIn(other))
  return 2 * words.filter((word) => known.has(word)).length >= words.length
}

/** Words that sentences share whatever they are about. */
const functionWords = new Set(
  'the and for with without that this its are was has have does not but then than into from when while after before each all any one two other only also too can may must which what'.split(
    ' ',
  ),
)

/**
 * The stems of the words of a text that say something. Identifiers are split into their words, and count as a word
 * themselves: a requirement that names one is about it.
 * @param {string} text
 */
const wordsIn = (text) => [
  ...(text.match(/\p{L}+\p{Ll}\p{Lu}\p{L}+/gu) ?? []).map((identifier) => identifier.toLowerCase()),
  ...(
    text
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  )
    .filter((word) => !functionWords.has(word))
    .map((word) =>
      word.length > 3 ? word.replace(/(?<!s)s$/, '').replace(/(?<=\p{L}{3})(ion|ing|ed|e)$/u, '') : word,
    ),
]
