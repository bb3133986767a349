// `npm run check`: checks format, lint, types and requirement ids, without starting anything.
import { runMain } from './lib/exit-error.mjs'
import { staticChecks } from './lib/checks.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { report, runSteps } from './lib/steps.mjs'

await runMain(async () => {
  await ensureInstalled()
  report(await runSteps(staticChecks()))
})
