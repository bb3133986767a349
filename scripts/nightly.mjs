// `npm run test:nightly`: runs tests that take too long for contributors. Requires installed packages.
import { readFileSync } from 'node:fs'
import { filesUnder } from './lib/files.mjs'
import { inRepository } from './lib/repository.mjs'
import { check, report, runSteps, skippedStep } from './lib/steps.mjs'
import { runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'

await runMain(async () => {
  await ensureInstalled()
  const { runPlaywright, runVitest } = await import('./lib/suites.mjs')
  const { fetchNode, otherNodes } = await import('./lib/other-nodes.mjs')
  const { buildPlatform } = await import('./platform/build.mjs')
  const { ensureContainerPrograms } = await import('./platform/containers.mjs')
  const { ensurePlatformTools, loopbackOnly, noNamespace, platformSuites } = await import('./platform/test.mjs')
  const { buildControlPlane } = await import('./control-plane/build.mjs')
  const { ensureTool } = await import('./lib/install-tools.mjs')
  const { ExitError } = await import('./lib/exit-error.mjs')
  const { path: chromium, problem } = await ensureTool('Chromium')
  const propertyTests = filesUnder('packages').filter(
    (path) => /\.test\.tsx?$/.test(path) && readFileSync(inRepository(path), 'utf8').includes(" from 'fast-check'"),
  )
  /** @param {typeof platformSuites[number]} suite */
  const platformTests = ({ name, run }) => ({
    name,
    async work() {
      const prefix = await loopbackOnly()
      if (!prefix) return skippedStep(noNamespace)
      const { tools, problem } = await ensurePlatformTools()
      if (!tools) throw new ExitError(problem)
      await buildPlatform()
      await buildControlPlane()
      await ensureContainerPrograms()
      return run(prefix, tools)
    },
  })
  report(
    await runSteps([
      {
        name: 'Soak, leak and durability tests',
        work: () =>
          runVitest({
            files: [
              'packages/gateway/test/soak.test.ts',
              'packages/apiserver/test/durability.test.ts',
              'packages/apiserver/test/power-cuts.test.ts',
              'packages/views/test/leaks.test.ts',
            ],
            env: { SOAK: 'full' },
          }),
      },
      {
        name: 'Property tests with another seed',
        async work() {
          const seed = String(Date.now() % 2 ** 31)
          console.log(`To repeat: PROPERTY_SEED=${seed} FUZZ_SEED=${seed} npm run unit -- ${propertyTests.join(' ')}`)
          return runVitest({ files: propertyTests, env: { PROPERTY_SEED: seed, FUZZ_SEED: seed } })
        },
      },
      {
        name: 'Recorded shapes of Tekton and the platform, with another seed',
        async work() {
          const files = [
            'packages/simulator/src/controllers/tekton-agreement.test.ts',
            'packages/simulator/src/platform-agreement.test.ts',
          ]
          const seed = String(Date.now() % 2 ** 31)
          console.log(`To repeat: SIMULATION_SEED=${seed} npm run unit -- ${files.join(' ')}`)
          return runVitest({ files, env: { SIMULATION_SEED: seed } })
        },
      },
      check('The package from a second clone', [process.execPath, inRepository('scripts/pack.mjs'), '--check']),
      ...otherNodes().map((version) => ({
        name: `Unit and component tests on Node ${version}`,
        work: async () => runVitest({ node: await fetchNode(version) }),
      })),
      ...platformSuites.map(platformTests),
      {
        name: 'One-hour fault run',
        async work() {
          if (!chromium) throw new ExitError(problem)
          const seed = String(Date.now() % 2 ** 31)
          return runPlaywright(chromium, {
            files: ['fault-run'],
            env: { FAULT_RUN_MINUTES: '60', FAULT_RUN_SEED: seed },
          })
        },
      },
    ]),
  )
})
