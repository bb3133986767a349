// `npm run mutate -- --seed 7`: whether tests notice mistakes. For each of 60 requirements, drawn by the seed, it changes
// one place of the product that their tests execute and runs these tests: a mutant is killed if one of them fails.
// `--count 5` draws fewer; `--seed 7 LIVE-20 ACC-03` repeats only these. No file is changed.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepository } from './lib/repository.mjs'

/** Percentage of mutants that a run has to kill. */
const aim = 95

await runMain(async () => {
  await ensureInstalled()
  const { citationsIn } = await import('./lib/citations.mjs')
  const { shuffle } = await import('./lib/mutation/choice.mjs')
  const { mutateRequirement, subjectsOf } = await import('./lib/mutation/requirement.mjs')
  const { runTests } = await import('./lib/mutation/vitest-run.mjs')
  const { requirementTexts } = await import('./lib/requirements.mjs')
  const { parse } = await import('./lib/symbol-graph.mjs')
  const { productTestFiles } = await import('./lib/test-files.mjs')

  const { seed, count, only } = readArguments()
  // Tests that still run end with this process.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  const read = (/** @type {string} */ path) => readFileSync(inRepository(path), 'utf8')
  const citations = productTestFiles().flatMap((path) => citationsIn(parse(path, read(path))))
  const subjects = subjectsOf(requirementTexts(read('docs/requirements.md')), citations)
  const unknown = only.find((id) => !subjects.some((subject) => subject.id === id))
  if (unknown) throw new ExitError(`No unit or component test cites ${unknown}.`)
  const drawn = shuffle(seed, subjects, ({ id }) => id).slice(0, count)

  const counts = { killed: 0, survived: 0, skipped: 0 }
  for (const subject of only.length > 0 ? subjects.filter(({ id }) => only.includes(id)) : drawn) {
    const { is, mutant, why } = await mutateRequirement(seed, subject, read, runTests)
    counts[is]++
    const place = mutant
      ? `${mutant.path}:${mutant.line}: ${mutant.what}: ${mutant.before} → ${mutant.after}`
      : undefined
    console.log([`${is.padEnd(8)} ${subject.id}`, place, why].filter(Boolean).join('\n    '))
  }
  const mutants = counts.killed + counts.survived
  const percentage = (100 * counts.killed) / Math.max(1, mutants)
  const result = `Seed ${seed}: ${counts.killed} of ${mutants} mutants killed (${percentage.toFixed(0)} %), ${counts.skipped} skipped.`
  console.log(result)
  if (percentage < aim) throw new ExitError(`At least ${aim} % must be killed.`)
})

/** @throws ExitError with the usage, for arguments that are not valid */
function readArguments() {
  const usage = new ExitError('Usage: npm run mutate -- --seed <number> [--count <number>] [<requirement>…]')
  try {
    const { values, positionals } = parseArgs({
      options: { seed: { type: 'string', default: '' }, count: { type: 'string', default: '60' } },
      allowPositionals: true,
    })
    if (![values.seed, values.count].every((text) => /^\d{1,9}$/.test(text))) throw usage
    return { seed: Number(values.seed), count: Number(values.count), only: positionals }
  } catch {
    throw usage
  }
}
