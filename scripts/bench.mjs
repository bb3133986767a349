// `npm run bench`: runs every `*.bench.*` in packages and e2e, one by one. docs/benchmarks.md has their figures.
// `npm run bench -- builds`: runs only benchmarks with this word in their path.
import { ensureBuilt } from './lib/build.mjs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { filesUnder } from './lib/files.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ensureTool } from './lib/install-tools.mjs'
import { commandOf, inRepository } from './lib/repository.mjs'
import { run } from './lib/run.mjs'
import { runPlaywright } from './lib/suites.mjs'
import { findChromium } from './lib/tools.mjs'

await runMain(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const [word = ''] = process.argv.slice(2)
  const isSelected = (/** @type {string} */ file) =>
    /\/bench\/[^/]+\.bench\.(ts|mjs)$/.test(file) && file.includes(word)
  for (const file of filesUnder('packages').filter(isSelected)) {
    console.log(`\n${file}`)
    const { exitCode } = await run([process.execPath, commandOf('tsx'), inRepository(file)])
    if (exitCode !== 0) process.exitCode = 1
  }
  const journeys = filesUnder('e2e').filter(isSelected)
  if (journeys.length === 0) return
  const { problem } = await ensureTool('Chromium')
  const chromium = findChromium()
  if (!chromium) throw new ExitError(problem)
  const { failed } = await runPlaywright(chromium, { config: 'e2e/bench/playwright.config.ts', files: journeys })
  if (failed > 0) process.exitCode = 1
})
