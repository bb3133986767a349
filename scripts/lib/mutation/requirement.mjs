import { dirname } from 'node:path'
import { mostRelevant, quotes, says, shuffle } from './choice.mjs'
import { keyOf, mutationsIn } from './mutations.mjs'
import { packagesIn } from './packages.mjs'

/**
 * @typedef {import('./mutations.mjs').Mutation & { path: string, key: string, before: string }} Mutant
 *
 * @typedef {{ is: 'killed' | 'survived' | 'skipped', mutant?: Mutant, why?: string }} Verdict
 *
 * @typedef {object} Subject a requirement
 * @property {string} id
 * @property {string} text
 * @property {string[]} files that contain its tests
 * @property {string[]} others texts of the other requirements that these files prove
 * @property {RegExp} names what matches the names of its tests
 * @property {RegExp[]} neighbors what matches those of tests near them that do not prove it
 */

/**
 * @param {Map<string, string>} texts of requirements, by id
 * @param {import('../citations.mjs').Citation[]} citations
 * @returns {Subject[]} requirements that unit or component tests cite
 */
export function subjectsOf(texts, citations) {
  /** @type {Map<string, string>} */
  const queries = new Map()
  const queryOf = (/** @type {string} */ id) => {
    // The title of a test that cites several says too much.
    const titles = citations.filter(({ ids }) => ids.length === 1 && ids[0] === id).map(({ title }) => title)
    const query = queries.get(id) ?? [texts.get(id), ...titles.map((title) => title.replace(id, '').trim())].join(' ')
    queries.set(id, query)
    return query
  }
  return [...texts.keys()].flatMap((id) => {
    const own = citations.filter(({ ids, path }) => ids.includes(id) && !path.startsWith('e2e/'))
    const files = [...new Set(own.map(({ path }) => path))]
    if (files.length === 0) return []
    const neighbors = [...new Set(files.flatMap((path) => neighborsOf(id, path, citations)))].map(namesOf)
    const others = citations.filter(({ path }) => files.includes(path)).flatMap(({ ids }) => ids)
    const otherTexts = [...new Set(others)].filter((other) => other !== id && texts.has(other)).map(queryOf)
    return [{ id, text: queryOf(id), others: otherTexts, files, names: namesOf(id), neighbors }]
  })
}

/** What matches the names of the tests that cite an id. @param {string} id */
const namesOf = (id) => new RegExp(`(?:^|[\\s,])${id}(?!\\d)`)

/** How many neighbors of a requirement, in each file, show what its tests execute besides what they prove. */
const maxNeighbors = 6

/**
 * The ids that a file cites nearest to an id.
 * @param {string} id
 * @param {string} path
 * @param {import('../citations.mjs').Citation[]} citations
 */
function neighborsOf(id, path, citations) {
  const ids = [...new Set(citations.filter((citation) => citation.path === path).flatMap((citation) => citation.ids))]
  const distanceOf = (/** @type {string} */ other) => Math.abs(ids.indexOf(other) - ids.indexOf(id))
  const others = ids.filter((other) => other !== id)
  return others.sort((a, b) => distanceOf(a) - distanceOf(b)).slice(0, maxNeighbors)
}

/** The seed draws among so many mutations that have the most to do with the requirement. */
const choices = 5

/**
 * The places that have the most to do with a requirement, among those that its tests execute: where the code has a literal
 * that the requirement quotes, or else what shares words with it. What the tests of many neighbors execute
 * too is what every test of the file needs: the more do, the less it has to do with it.
 * @param {Subject} subject
 * @param {Pick<import('./vitest-run.mjs').Recording, 'executed' | 'elsewhere'>} recording
 * @param {(path: string) => string} read
 */
function candidatesOf({ text, others, files }, { executed, elsewhere }, read) {
  const textOf = (/** @type {Mutant} */ { before, context }) => `${before} ${context}`
  const weightOf = (/** @type {Mutant} */ { path, key }) =>
    Math.max(...files.map((file) => nearness(path, file))) / (1 + (elsewhere.get(key) ?? 0))
  const packages = new Set(files.flatMap((file) => [...packagesIn(packageOf(file))]))
  // A literal belongs to the requirement that says it, which may be another one that the test cites.
  const all = mutantsOf(executed, read).filter(
    (mutant) =>
      packages.has(packageOf(mutant.path)) &&
      (isLogic(mutant) || quotes(text, mutant.before) || (mutant.what === 'text changed' && says(text, mutant.before))),
  )
  const quoted = all.filter(({ before }) => quotes(text, before))
  const around = all.filter(({ path, context }) =>
    quoted.some((literal) => literal.path === path && context.includes(literal.before)),
  )
  const options = { weightOf, others }
  const nearest = mostRelevant(text, around, textOf, choices, options)
  return nearest.length > 0 ? nearest : mostRelevant(text, all, textOf, choices, options)
}

/** Whether code is changed that decides something, not what it says. @param {Mutant} mutant */
const isLogic = ({ what, place }) => place !== undefined && what !== 'text changed' && what !== 'value changed'

/**
 * Mutates one place that the tests of a requirement execute, and runs these tests again.
 * @param {number} seed
 * @param {Subject} subject
 * @param {import('./vitest-run.mjs').Recording} recording
 * @param {(path: string) => string} read
 * @param {(mutant: Mutant) => Promise<string | undefined>} test returns the failure of a test, if one fails with it
 * @returns {Promise<Verdict>}
 */
export async function mutateRequirement(seed, subject, recording, read, test) {
  if (recording.failure) return { is: 'skipped', why: `Its tests fail without a mutation: ${recording.failure}` }
  const candidates = candidatesOf(subject, recording, read)
  const [mutant] = shuffle(seed, candidates, ({ key }) => `${subject.id} ${key}`)
  if (!mutant) return { is: 'skipped', why: 'Its tests execute nothing that can be mutated and has to do with it.' }
  const failure = await test(mutant)
  return { is: failure ? 'killed' : 'survived', mutant, why: failure }
}

/** @param {Subject} subject @param {Verdict} verdict */
export function describeVerdict({ id }, { is, mutant, why }) {
  const place = mutant ? `${mutant.path}:${mutant.line}: ${mutant.what}: ${mutant.before} → ${mutant.after}` : undefined
  return [`${is.padEnd(8)} ${id}`, place, why].filter(Boolean).join('\n    ')
}

/**
 * How much a module seems to be what a test is about: the one of its name, then those of its folder.
 * @param {string} path
 * @param {string} test path of its file
 */
function nearness(path, test) {
  if (path.replace(/\.tsx?$/, '') === test.replace(/\.test\.tsx?$/, '')) return 8
  if (dirname(path) === dirname(test)) return 2
  return packageOf(path) === packageOf(test) ? 1 : 0.5
}

const packageOf = (/** @type {string} */ path) => path.split('/')[1] ?? ''

/**
 * The mutants of places that were executed, and of the constants of the same modules.
 * @param {Set<string>} executed keys of mutations
 * @param {(path: string) => string} read
 */
function mutantsOf(executed, read) {
  const paths = new Set([...executed].map((key) => key.slice(0, key.lastIndexOf(':'))))
  return [...paths].flatMap((path) =>
    mutantsIn(path, read(path)).filter(({ place, key }) => !place || executed.has(key)),
  )
}

/** Many requirements are about the same modules. @type {Map<string, { source: string, mutants: Mutant[] }>} */
const known = new Map()

/** @param {string} path @param {string} source */
function mutantsIn(path, source) {
  const module = known.get(path)
  if (module?.source === source) return module.mutants
  const mutants = mutationsIn(path, source).map((mutation, index) => {
    const before = source.slice(mutation.start, mutation.end)
    return { ...mutation, path, key: keyOf(path, index), before }
  })
  known.set(path, { source, mutants })
  return mutants
}
