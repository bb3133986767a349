// `npm run bench:cluster`: compares the embedded API server with etcd and kube-apiserver, using the same client.
// `npm run bench:cluster -- embedded`: measures only the embedded one.
// `npm run bench:cluster -- replay`: measures only watches from old versions, in the process of the embedded one.
import { buildControlPlane } from './control-plane/build.mjs'
import { startControlPlane } from './control-plane/start.mjs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { hasGo } from './lib/go-programs.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { withProgress } from './lib/progress.mjs'
import { commandOf, inRepository } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

/** @param {string} name */
const commandFor = (name) => [process.execPath, commandOf('tsx'), inRepository(`packages/apiserver/bench/${name}.ts`)]
const command = commandFor('side-by-side')

await runMain(async () => {
  await ensureInstalled()
  const [, , only] = process.argv
  if (only === 'embedded' || only === 'replay') {
    process.exitCode = (await run(only === 'replay' ? commandFor('replay') : command)).exitCode
    return
  }
  if (!(await hasGo())) throw new ExitError('Go was not found. Install Go 1.26 or newer to build the control plane.')
  const programs = await buildControlPlane()
  const controlPlane = await withProgress('Starting the control plane', () =>
    startControlPlane(programs, { isDurable: true, isAudited: false }),
  )
  try {
    const env = {
      CONTROL_PLANE_URL: controlPlane.url,
      CONTROL_PLANE_TOKEN: controlPlane.tokens.admin,
      CONTROL_PLANE_CA: controlPlane.caPath,
      CONTROL_PLANE_PIDS: controlPlane.serverPids.join(),
    }
    process.exitCode = (await run(command, { env })).exitCode
  } finally {
    await controlPlane.close()
  }
})
