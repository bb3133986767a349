// `npm run test:changed`: the checks, and the tests that the changes since the branch left main can reach. `-- --base HEAD~3`
// compares with another commit. It says what it did not run.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepository, root } from './lib/repository.mjs'

/** Output lines of a git command; `undefined` if it fails. @param {...string} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return status === 0 ? stdout.split('\0').filter(Boolean) : undefined
}

/** The commit that the branch started from, or the one that `--base` names. */
function findBase() {
  const index = process.argv.indexOf('--base')
  const candidates = index < 0 ? ['upstream/main', 'origin/main', 'main'] : [process.argv[index + 1] ?? '']
  for (const candidate of candidates) {
    const [base] = git('merge-base', 'HEAD', candidate) ?? []
    if (base) return base.trim()
  }
  throw new ExitError(`No commit to compare with: ${candidates.join(', ')} not found. Name one with -- --base.`)
}

await runMain(async () => {
  await ensureInstalled()
  const { staticChecks } = await import('./lib/checks.mjs')
  const { ensureTool } = await import('./lib/install-tools.mjs')
  const { readOpenedScreens } = await import('./lib/opened-screens.mjs')
  const { report, runSteps, skippedStep } = await import('./lib/steps.mjs')
  const { runPlaywright, runVitest } = await import('./lib/suites.mjs')
  const { isClusterTest, isJourney, isPlatformTest, isTestFile, selectJourneys, selectTests } =
    await import('./lib/test-selection.mjs')

  const base = findBase()
  const untracked = git('ls-files', '-z', '--others', '--exclude-standard') ?? []
  const changed = [...(git('diff', '-z', '--name-only', '--no-renames', base) ?? []), ...untracked]
  const present = [...(git('ls-files', '-z') ?? []), ...untracked].filter((path) => existsSync(inRepository(path)))
  const repository = {
    // Those that were deleted may still be named.
    files: new Set([...present, ...changed]),
    read: (/** @type {string} */ path) =>
      existsSync(inRepository(path)) ? readFileSync(inRepository(path), 'utf8') : '',
  }
  const testFiles = present.filter(isTestFile)
  const journeys = present.filter(isJourney)
  const selected = selectTests(repository, testFiles, changed, readOpenedScreens())
  const selectedJourneys = selectJourneys(repository, journeys, changed)
  console.log(`${changed.length} files differ from ${base.slice(0, 10)}.`)
  console.log(`They can reach ${selected.length} of ${testFiles.length} test files:`)
  for (const file of selected) console.log(`  ${file}`)

  const notRun = `${journeys.length - selectedJourneys.length} of ${journeys.length} files were not run: npm test runs them.`
  const checks = runSteps(staticChecks())
  const tests = runSteps([
    {
      name: 'Unit and component tests',
      work: async () => (selected.length > 0 ? runVitest({ files: selected }) : skippedStep('the changes reach none.')),
    },
    {
      name: 'End-to-end tests',
      async work() {
        if (selectedJourneys.length === 0) return skippedStep(notRun)
        const chromium = await ensureTool('Chromium')
        return chromium.path ? runPlaywright(chromium.path, { files: selectedJourneys }) : skippedStep(chromium.problem)
      },
    },
    {
      name: 'Tests on a real control plane',
      work: async () =>
        skippedStep(`${present.filter(isClusterTest).length} files were not run: npm run test:cluster runs them.`),
    },
    {
      name: 'Tests on real Tekton',
      work: async () =>
        skippedStep(`${present.filter(isPlatformTest).length} files were not run: npm run test:platform runs them.`),
    },
  ])
  const results = [...(await checks), ...(await tests)]
  report(results, selectedJourneys.length > 0 ? `End-to-end tests: ${notRun}` : undefined)
})
