import { citationsIn } from './citations.mjs'
import { createSymbolGraph, parse } from './symbol-graph.mjs'

/**
 * What is decided about proof (`scripts/requirements.json`). Symbols are written `path#name`.
 * @typedef {object} Decisions
 * @property {string[]} console entry points of the console: modules
 * @property {string[]} command entry points of the command that starts the servers: modules
 * @property {{ ids: string[], package: string, why: string }[]} provenBy ids that tests of a package besides the
 *   console prove; an id without a number is an area
 * @property {{ symbol: string, why: string }[]} doors of the product that only tests open
 *
 * @typedef {import('./citations.mjs').Citation} Citation
 */

/**
 * Judges what tests cite. A citation proves an id if the test always runs, asserts something, belongs to a package that
 * may prove the id, and exercises code that the product reaches; code that it names itself must all be such.
 * @param {object} repository
 * @param {string[]} repository.testFiles
 * @param {(path: string) => string | undefined} repository.read
 * @param {Decisions} decisions
 * @returns {{ citations: Citation[], proven: Set<string>, doubts: Map<string, Set<string>>, problems: string[] }} why
 *   citations of an id that is not proven prove nothing, and what is wrong with the decisions
 */
export function judge({ testFiles, read }, decisions) {
  const graph = createSymbolGraph(read)
  const citations = testFiles.flatMap((path) => citationsIn(parse(path, read(path) ?? '')))
  const doors = decisions.doors.map(({ symbol }) => symbol)
  const reach = (/** @type {string[]} */ modules) => graph.reachableFrom(modules.flatMap(graph.symbolsIn))
  const inConsole = reach(decisions.console)
  const inCommand = reach(decisions.command)
  const problems = doors.filter((door) => inConsole.has(door) || inCommand.has(door) || !graph.has(door))

  /** @param {Citation} citation @param {string} id @returns {string | undefined} why it proves nothing */
  const doubtAbout = (citation, id) => {
    const tested = packageOf(citation.path)
    const owners = decisions.provenBy.filter(({ ids }) => ids.includes(id) || ids.includes(areaOf(id)))
    const isOwner = owners.some((owner) => owner.package === tested)
    if (!isOwner && !['console', 'kube', 'model', 'e2e'].includes(tested)) return `tests of ${tested}`
    if (!citation.alwaysRuns) return 'tests that do not always run'
    const { asserts, named, exercised } = exercise(graph, citation)
    if (!asserts) return 'tests without an assertion'
    const isAnywhere = (/** @type {string} */ symbol) => inConsole.has(symbol) || inCommand.has(symbol)
    const isReachable = (/** @type {string} */ symbol) =>
      doors.includes(symbol) || (isOwner || tested === 'e2e' ? isAnywhere(symbol) : inConsole.has(symbol))
    const isReached = (/** @type {string} */ symbol) => {
      const members = graph.membersOf(symbol)
      return isReachable(symbol) || (members.some(isReachable) && members.every(isAnywhere))
    }
    if (tested === 'e2e' && !citation.fixtures.some((fixture) => opensPages.has(fixture)))
      return 'end-to-end tests that open no page'
    const isReachedAnywhere = (/** @type {string} */ symbol) =>
      doors.includes(symbol) || isAnywhere(symbol) || graph.membersOf(symbol).some(isAnywhere)
    const about = subjects(exercised, tested)
    const unreached = exercised.filter(
      (symbol) => named.has(symbol) && !(about.includes(symbol) ? isReached(symbol) : isReachedAnywhere(symbol)),
    )
    if (unreached.length > 0) return `tests of unreachable code (${unreached.join(', ')})`
    if (tested !== 'e2e' && !about.some(isReached)) return 'tests that exercise no code of the product'
    return undefined
  }

  /** @type {Set<string>} */
  const proven = new Set()
  /** @type {Map<string, Set<string>>} */
  const doubts = new Map()
  for (const citation of citations) {
    for (const id of citation.ids) {
      const doubt = doubtAbout(citation, id)
      if (doubt) doubts.set(id, (doubts.get(id) ?? new Set()).add(doubt))
      else proven.add(id)
    }
  }
  for (const id of proven) doubts.delete(id)
  return { citations, proven, doubts, problems: problems.map((door) => `${door} is no door that only tests open.`) }
}

/**
 * What a test exercises: the symbols of the product that it names itself, and those that it reaches with the help of
 * test support.
 * @param {ReturnType<typeof createSymbolGraph>} graph
 * @param {Citation} citation
 */
function exercise(graph, { path, uses }) {
  /** @type {Set<string>} */
  const exercised = new Set()
  let asserts = false
  const isNamedIn = (/** @type {string} */ symbol) => symbol.startsWith(`${path}#`)
  const follow = (/** @type {Iterable<string>} */ symbols, /** @type {(symbol: string) => boolean} */ isFollowed) => {
    const seen = new Set(symbols)
    for (const symbol of seen) {
      if (isOfProduct(symbol)) exercised.add(symbol)
      else if (isAssertion(symbol)) asserts = true
      else if (isFollowed(symbol)) for (const used of graph.usedBy(symbol)) if (!used.endsWith('#')) seen.add(used)
    }
    return seen
  }
  const own = follow(graph.symbolsOf(path, uses), isNamedIn)
  const named = new Set(exercised)
  follow(own, () => true)
  return { asserts, named, exercised: [...exercised] }
}

/** The fixtures of `e2e/fixtures.ts` and of Playwright with which a test opens pages. */
const opensPages = new Set(['page', 'context', 'browser'])

/** @param {string} symbol */
const isAssertion = (symbol) => /^(vitest|@playwright\/test|node:assert\S*)#(expect|expectTypeOf|assert)$/.test(symbol)

/** Whether a symbol is of code that is shipped: not of tests and not of what helps them. @param {string} symbol */
export const isOfProduct = (symbol) =>
  /^packages\/[^/]+\/src\//.test(symbol) && !/\.test\.tsx?#|\/testing(\.tsx?#|\/)/.test(symbol)

/**
 * The symbols that a test of a package is about: those of its package, or of those below when it exercises none of its
 * own.
 * @param {string[]} symbols
 * @param {string} tested
 */
function subjects(symbols, tested) {
  const own = symbols.filter((symbol) => packageOf(symbol) === tested)
  return own.length > 0 ? own : symbols
}

/** @param {string} path */
const packageOf = (path) => path.match(/^packages\/([^/]+)\//)?.[1] ?? path.split('/')[0] ?? path

/** @param {string} id */
export const areaOf = (id) => id.split('-')[0] ?? id
