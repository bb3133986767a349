// `npm run pictures`: takes the pictures of the README again, from the demo in a real browser, in both themes.
import { ensureBuilt } from './lib/build.mjs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ensureTool } from './lib/install-tools.mjs'
import { runPlaywright } from './lib/suites.mjs'
import { findChromium } from './lib/tools.mjs'

await runMain(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { problem } = await ensureTool('Chromium')
  const chromium = findChromium()
  if (!chromium) throw new ExitError(problem)
  const { failed } = await runPlaywright(chromium, { config: 'e2e/pictures/playwright.config.ts' })
  if (failed > 0) process.exitCode = 1
})
