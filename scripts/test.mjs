// `npm test`: from a fresh clone to `N passed, N failed`. Asks no questions, installs what is missing, runs everything.
import { requireSupportedNode } from './lib/node-version.mjs'

requireSupportedNode()

const { ExitError, runMain } = await import('./lib/exit-error.mjs')
const { ensureInstalled } = await import('./lib/install.mjs')

await runMain(async () => {
  await ensureInstalled()
  const { staticChecks } = await import('./lib/checks.mjs')
  const { check, failedStep, passedStep, report, runSteps } = await import('./lib/steps.mjs')
  const { runPlaywright, runVitest } = await import('./lib/suites.mjs')
  const { ensureBuilt } = await import('./lib/build.mjs')
  const { provideChromium, provideKubectl } = await import('./lib/tools.mjs')
  const { inRepository } = await import('./lib/repository.mjs')
  const { hasGo } = await import('./control-plane/build.mjs')
  const { runClusterTests } = await import('./control-plane/test.mjs')

  const chromium = await provideChromium()
  const kubectl = await provideKubectl()
  const hasClusterTests = Boolean(process.env.CI) && (await hasGo())
  const checks = runSteps(staticChecks())
  const tests = runSteps([
    // Tests that need it are skipped without it, so its absence counts as a separate failure.
    ...(kubectl
      ? []
      : [{ name: 'kubectl', work: async () => failedStep('kubectl', 'not found and could not be installed') }]),
    { name: 'Unit and component tests', work: () => runVitest() },
    { name: 'Build', work: () => ensureBuilt().then(() => passedStep) },
    check('Size budget', [process.execPath, inRepository('scripts/budget.mjs')]),
    {
      name: 'End-to-end tests',
      async work() {
        if (chromium) return runPlaywright(chromium)
        throw new ExitError('Chromium could not be found or installed. Set CHROMIUM_PATH to an executable.')
      },
    },
    ...(hasClusterTests ? [{ name: 'Tests on a real control plane', work: () => runClusterTests(chromium) }] : []),
  ])
  // The checks run while tests are waiting for timers and sockets.
  const results = [...(await checks), ...(await tests)]
  if (!hasClusterTests) console.log('\nThe tests on a real control plane were skipped: npm run test:cluster runs them.')
  report(results)
})
