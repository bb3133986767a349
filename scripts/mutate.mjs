// `npm run mutate -- --seed 7`: whether tests notice mistakes. For each of 60 requirements, drawn by the seed, it changes
// one place of the product that their tests execute and runs these tests, then the others of their files: a mutant is killed
// if one of them fails.
// `--count 5` draws fewer; `--seed 7 LIVE-20 ACC-03` repeats only these; `--jobs 1` tests one mutant at a time instead of one
// per core. No file is changed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const { describeVerdict, mutateRequirement, subjectsOf } = await import('./lib/mutation/requirement.mjs')
  const { byAnother, recordTests, testMutant } = await import('./lib/mutation/vitest-run.mjs')
  const { requirementTexts } = await import('./lib/requirements.mjs')
  const { parse } = await import('./lib/symbol-graph.mjs')
  const { productTestFiles } = await import('./lib/test-files.mjs')

  const { seed, count, jobs, only } = readArguments()
  // Tests that still run end with this process.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  const read = (/** @type {string} */ path) => readFileSync(inRepository(path), 'utf8')
  const citations = productTestFiles().flatMap((path) => citationsIn(parse(path, read(path))))
  const subjects = subjectsOf(requirementTexts(read('docs/requirements.md')), citations)
  const unknown = only.find((id) => !subjects.some((subject) => subject.id === id))
  if (unknown) throw new ExitError(`No unit or component test cites ${unknown}.`)
  const drawn =
    only.length > 0
      ? subjects.filter(({ id }) => only.includes(id))
      : shuffle(seed, subjects, ({ id }) => id).slice(0, count)

  const cache = mkdtempSync(join(tmpdir(), 'slipway-mutation-cache-'))
  process.on('exit', () => rmSync(cache, { recursive: true, force: true }))
  const recordings = await recordTests(drawn, cache)
  /** @type {Record<import('./lib/mutation/requirement.mjs').Verdict['is'], string[]>} */
  const verdicts = { killed: [], survived: [], skipped: [] }
  const waiting = drawn.map((subject, index) => ({ subject, recording: recordings[index] }))
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let next = waiting.shift(); next?.recording; next = waiting.shift()) {
        const { subject, recording } = next
        const test = (/** @type {{ key: string }} */ { key }) => testMutant(subject, key, cache)
        const verdict = await mutateRequirement(seed, subject, recording, read, test)
        const text = describeVerdict(subject, verdict)
        verdicts[verdict.is].push(text)
        console.log(text)
      }
    }),
  )
  const { survived, skipped } = verdicts
  const killed = verdicts.killed.length
  const byOthers = verdicts.killed.filter((text) => text.includes(byAnother)).length
  const mutants = killed + survived.length
  const percentage = (100 * killed) / Math.max(1, mutants)
  const result = `Seed ${seed}: ${killed} of ${mutants} mutants killed (${percentage.toFixed(0)} %), ${byOthers} of them by other tests; ${skipped.length} skipped.`
  console.log(['', result, ...survived, ...skipped].join('\n'))
  if (percentage < aim) throw new ExitError(`At least ${aim} % must be killed.`)
})

/** @throws ExitError with the usage, for arguments that are not valid */
function readArguments() {
  const usage = new ExitError(
    'Usage: npm run mutate -- --seed <number> [--count <number>] [--jobs <number>] [<requirement>…]',
  )
  try {
    const { values, positionals } = parseArgs({
      options: {
        seed: { type: 'string', default: '' },
        count: { type: 'string', default: '60' },
        jobs: { type: 'string', default: String(availableParallelism()) },
      },
      allowPositionals: true,
    })
    if (![values.seed, values.count, values.jobs].every((text) => /^\d{1,9}$/.test(text))) throw usage
    return {
      seed: Number(values.seed),
      count: Number(values.count),
      jobs: Math.max(1, Number(values.jobs)),
      only: positionals,
    }
  } catch {
    throw usage
  }
}
