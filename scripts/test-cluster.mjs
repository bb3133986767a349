// `npm run test:cluster`: builds and starts a real Kubernetes control plane, runs the tests that need one, and stops it.
import { runClusterTests } from './control-plane/test.mjs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { hasGo } from './lib/go-programs.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ensureTool } from './lib/install-tools.mjs'
import { report, runSteps } from './lib/steps.mjs'

await runMain(async () => {
  await ensureInstalled()
  if (!(await hasGo())) throw new ExitError('Go was not found. Install Go 1.26 or newer to build the control plane.')
  const { path: chromium, problem } = await ensureTool('Chromium')
  if (!chromium) console.error(problem)
  report(await runSteps([{ name: 'Tests on a real control plane', work: () => runClusterTests(chromium) }]))
})
