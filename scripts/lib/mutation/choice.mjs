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
 * the first are left out, and, unless that would be all, those that have more to do with another query.
 * @template T
 * @param {string} query
 * @param {T[]} values
 * @param {(value: T) => string} textOf
 * @param {number} count
 * @param {{ weightOf?: (value: T) => number, others?: string[] }} [options] a factor of the relevance of a value, and
 *   other queries
 */
export function mostRelevant(query, values, textOf, count, { weightOf = () => 1, others = [] } = {}) {
  const sets = values.map((value) => new Set(wordsIn(textOf(value))))
  const relevances = relevancesOf(query, sets)
  const relevancesOfOthers = others.map((other) => relevancesOf(other, sets))
  const ranked = values
    .map((value, index) => {
      const relevance = relevances[index] ?? 0
      const isOfOther = relevancesOfOthers.some((other) => (other[index] ?? 0) > relevance)
      return { value, relevance: weightOf(value) * relevance, isOfOther }
    })
    .filter(({ relevance }) => relevance > 0)
    .sort((a, b) => b.relevance - a.relevance)
  const least = (ranked[0]?.relevance ?? 0) / 2
  const chosen = ranked.filter(({ relevance }) => relevance >= least)
  const own = chosen.filter(({ isOfOther }) => !isOfOther)
  return (own.length > 0 ? own : chosen).slice(0, count).map(({ value }) => value)
}

/**
 * How much each text has to do with a query: nothing if they share only one word of several. A long query shares words
 * with anything, too.
 * @param {string} query
 * @param {Set<string>[]} sets of the words of each text
 */
function relevancesOf(query, sets) {
  const words = [...new Set(wordsIn(query))]
  const wanted = words.map((word) => {
    const frequency = sets.filter((set) => set.has(word)).length
    return { word, weight: frequency && Math.log(1 + sets.length / frequency) }
  })
  return sets.map((set) => {
    const shared = wanted.filter(({ word }) => set.has(word))
    if (shared.length < Math.min(2, words.length / 2)) return 0
    const sum = shared.reduce((total, { weight }) => total + weight, 0)
    return (shared.length * sum) / Math.sqrt((1 + set.size) * (1 + words.length))
  })
}

/** Whether at least half of the words of a text are in another one. @param {string} text @param {string} other */
export function sharesWords(text, other) {
  const words = [...new Set(wordsIn(text))]
  const known = new Set(wordsIn(other))
  return 2 * words.filter((word) => known.has(word)).length >= words.length
}

/**
 * Whether a sentence says a text: its words follow each other there, or the sentence quotes texts and has half of them. A
 * single word has to begin with the same case: 'Failed' is a text, what has failed is not.
 * @param {string} sentence
 * @param {string} text code of a literal
 */
export function says(sentence, text) {
  const words = readWordsIn(text)
  const isSaid = (/** @type {(of: string) => string} */ convert) =>
    convert(` ${readWordsIn(sentence).join(' ')} `).includes(convert(` ${words.join(' ')} `))
  if (words.length === 1) return isSaid(String)
  return isSaid((of) => of.toLowerCase()) || (quotesIn(sentence).length > 0 && sharesWords(text, sentence))
}

/**
 * Whether a sentence quotes a literal: a text in quotes, which may have other values in it, a word of an API in backticks,
 * or a number in digits.
 * @param {string} sentence
 * @param {string} literal its code
 */
export function quotes(sentence, literal) {
  const digitsOf = (/** @type {string} */ of) => of.replaceAll(/(?<=\d)[_,](?=\d{3})/g, '')
  if (/^\d/.test(literal)) {
    return (
      digitsOf(sentence)
        .match(/(?<![\w.-])\d+(\.\d+)?/g)
        ?.includes(digitsOf(literal)) === true
    )
  }
  if (sentence.includes(`\`${literal.replaceAll(/^['"`]|['"`]$/g, '')}\``)) return true
  const words = readWordsIn(literal).join(' ')
  return quotesIn(sentence).some((quote) =>
    literal.includes('${')
      ? sharesWords(quote, literal) && sharesWords(literal, quote)
      : words !== '' && words === readWordsIn(quote).join(' '),
  )
}

/** The texts in single quotes, not between apostrophes. @param {string} sentence */
const quotesIn = (sentence) => [...sentence.matchAll(/(?<!\p{L})'(.+?)'(?!\p{L})/gu)].map(([, quote = '']) => quote)

/** All words of a text, without code in it. @param {string} text */
const readWordsIn = (text) => text.replaceAll(/\$?\{[^{}]*\}/g, ' ').match(/\p{L}+/gu) ?? []

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
