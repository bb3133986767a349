// `npm test`: from a fresh clone to `N passed, N failed`. Asks no questions and runs everything that can run here.
import { requireSupportedNode } from './lib/node-version.mjs'

requireSupportedNode()

const { runMain } = await import('./lib/exit-error.mjs')
const { ensureInstalled } = await import('./lib/install.mjs')

await runMain(async () => {
  await ensureInstalled()
  const { staticChecks } = await import('./lib/checks.mjs')
  const { check, failedStep, passedStep, report, runSteps, skippedStep } = await import('./lib/steps.mjs')
  const { runPlaywright, runVitest } = await import('./lib/suites.mjs')
  const { ensureBuilt } = await import('./lib/build.mjs')
  const { ensureTool } = await import('./lib/install-tools.mjs')
  const { inRepository } = await import('./lib/repository.mjs')
  const { ensureSeed } = await import('./lib/test-seed.mjs')
  const { buildControlPlane } = await import('./control-plane/build.mjs')
  const { hasGo } = await import('./lib/go-programs.mjs')
  const { runClusterTests } = await import('./control-plane/test.mjs')
  const { isPlatformBuilt } = await import('./platform/build.mjs')
  const { ensurePlatformTools, loopbackOnly, noNamespace, platformSuites } = await import('./platform/test.mjs')

  const isCi = Boolean(process.env.CI)
  const howToRepeat = ensureSeed()
  console.log(howToRepeat)
  const chromium = await ensureTool('Chromium')
  const kubectl = await ensureTool('kubectl')
  // On macOS, what runs in CI is the product.
  const hasClusterTests = isCi && process.platform === 'linux' && (await hasGo())
  /** @param {string} problem a program that could not be installed */
  const without = (problem) => (isCi ? failedStep('Programs', problem) : skippedStep(problem))
  // The first build takes minutes of all cores: it gets the time that the other steps leave idle.
  const controlPlane = hasClusterTests
    ? runSteps([
        {
          name: 'Build of the control plane',
          work: () => buildControlPlane({ isInBackground: true }).then(() => passedStep),
        },
      ])
    : []
  const checks = runSteps(staticChecks())
  const tests = runSteps([
    { name: 'Unit and component tests', work: () => runVitest() },
    { name: 'Build', work: () => ensureBuilt().then(() => passedStep) },
    check('Size budget', [process.execPath, inRepository('scripts/budget.mjs')]),
    {
      name: 'End-to-end tests',
      work: async () => (chromium.path ? runPlaywright(chromium.path) : without(chromium.problem)),
    },
    // Tests with kubectl are among the others.
    ...(kubectl.path ? [] : [{ name: 'Tests with kubectl', work: async () => without(kubectl.problem) }]),
  ])
  // The checks run while tests are waiting for timers and sockets.
  const results = [...(await checks), ...(await tests), ...(await controlPlane)]
  const clusterTests = {
    name: 'Tests on a real control plane',
    async work() {
      if (!hasClusterTests) return skippedStep('npm run test:cluster runs them.')
      const isBuilt = (await controlPlane).every(({ failed }) => failed === 0)
      return isBuilt ? runClusterTests(chromium.path) : skippedStep('it could not be built.')
    },
  }
  /** @param {typeof platformSuites[number]} suite */
  const platformTests = ({ name, run }) => ({
    name,
    async work() {
      if (!isPlatformBuilt()) return skippedStep('npm run test:platform builds Tekton and runs them.')
      const prefix = await loopbackOnly()
      if (!prefix) return skippedStep(noNamespace)
      const { tools, problem } = await ensurePlatformTools()
      return tools ? run(prefix, tools) : without(problem)
    },
  })
  const lastTests = [clusterTests, ...platformSuites.map(platformTests)]
  report([...results, ...(await runSteps(lastTests))], howToRepeat)
})
