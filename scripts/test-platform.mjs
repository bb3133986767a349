// `npm run test:platform`: builds programs of the platform, such as Tekton's controller, and runs the tests that need them
// against the embedded API server.
import { ExitError, runMain } from './lib/exit-error.mjs'
import { hasGo } from './lib/go-programs.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { report, runSteps } from './lib/steps.mjs'

await runMain(async () => {
  await ensureInstalled()
  const { buildPlatform, isPlatformBuilt } = await import('./platform/build.mjs')
  const { ensureContainerPrograms } = await import('./platform/containers.mjs')
  const { buildControlPlane, isControlPlaneBuilt } = await import('./control-plane/build.mjs')
  const { ensurePlatformTools, loopbackOnly, noNamespace, platformSuites } = await import('./platform/test.mjs')
  if (!(isPlatformBuilt() && isControlPlaneBuilt()) && !(await hasGo())) {
    throw new ExitError('Go was not found. Install Go 1.26 or newer to build the programs of the platform.')
  }
  const prefix = await loopbackOnly()
  if (!prefix) throw new ExitError(`The tests cannot run here: ${noNamespace}`)
  const { tools, problem } = await ensurePlatformTools()
  if (!tools) throw new ExitError(problem)
  await buildPlatform()
  await buildControlPlane()
  await ensureContainerPrograms()
  report(await runSteps(platformSuites.map(({ name, run }) => ({ name, work: () => run(prefix, tools) }))))
})
