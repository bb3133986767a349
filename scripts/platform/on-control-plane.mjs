// Runs a command on a real control plane, which has been built: in the network namespace of the command, where nothing
// else is reachable.
import { buildControlPlane } from '../control-plane/build.mjs'
import { onControlPlane } from '../control-plane/test.mjs'
import { runMain } from '../lib/exit-error.mjs'
import { run } from '../lib/run.mjs'

await runMain(async () => {
  const programs = await buildControlPlane()
  process.exitCode = await onControlPlane('the tests of the webhook', programs, async (env) => {
    const { exitCode } = await run(process.argv.slice(2), { env })
    return exitCode
  })
})
