import { basename } from 'node:path'
import { mostRelevant, shuffle } from './choice.mjs'
import { keyOf, mutationsIn } from './mutations.mjs'

/**
 * @typedef {import('./mutations.mjs').Mutation & { path: string, key: string, before: string }} Mutant
 *
 * @typedef {{ id: string, text: string, files: string[], names: RegExp }} Subject a requirement, the files that contain
 *   its tests, and what matches their names
 */

/**
 * @param {Map<string, string>} texts of requirements, by id
 * @param {import('../citations.mjs').Citation[]} citations
 * @returns {Subject[]} requirements that unit or component tests cite
 */
export const subjectsOf = (texts, citations) =>
  [...texts].flatMap(([id, text]) => {
    const own = citations.filter(({ ids, path }) => ids.includes(id) && !path.startsWith('e2e/'))
    const files = [...new Set(own.map(({ path }) => path))]
    const query = [text, ...own.map(({ title }) => title)].join(' ')
    return files.length > 0 ? [{ id, text: query, files, names: new RegExp(`(?:^|[\\s,])${id}(?!\\d)`) }] : []
  })

/** The seed draws among so many mutations that have the most to do with the requirement. */
const choices = 5

/**
 * Mutates one place that the tests of a requirement execute, and runs these tests again.
 * @param {number} seed
 * @param {Subject} subject
 * @param {(path: string) => string} read
 * @param {typeof import('./vitest-run.mjs').runTests} runTests
 * @returns {Promise<{ is: 'killed' | 'survived' | 'skipped', mutant?: Mutant, why?: string }>}
 */
export async function mutateRequirement(seed, { id, text, files, names }, read, runTests) {
  const { passed, failure, executed } = await runTests(files, names)
  if (failure) return { is: 'skipped', why: `Its tests fail without a mutation: ${failure}` }
  const mutants = mutantsOf(new Set(executed), read)
  if (passed === 0 || mutants.length === 0)
    return { is: 'skipped', why: 'Its tests execute nothing that can be mutated.' }
  const textOf = (/** @type {Mutant} */ { path, before, context }) => `${basename(path)} ${before} ${context}`
  const relevant = mostRelevant(text, mutants, textOf, choices)
  const [mutant] = shuffle(seed, relevant, ({ key }) => `${id} ${key}`)
  const result = await runTests(files, names, mutant?.key)
  return { is: result.failure ? 'killed' : 'survived', mutant, why: result.failure }
}

/**
 * @param {Set<string>} executed keys of mutations
 * @param {(path: string) => string} read
 * @returns {Mutant[]}
 */
function mutantsOf(executed, read) {
  const paths = new Set([...executed].map((key) => key.slice(0, key.lastIndexOf(':'))))
  return [...paths].flatMap((path) => {
    const source = read(path)
    return mutationsIn(path, source).flatMap((mutation, index) => {
      const { start, end } = mutation
      const mutant = { ...mutation, path, key: keyOf(path, index), before: source.slice(start, end) }
      return executed.has(mutant.key) ? [mutant] : []
    })
  })
}
