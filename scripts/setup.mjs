// `npm run setup`: installs the packages, and the programs that tests need besides them.
import { ExitError, runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { findChromium, findKubectl, installTools } from './lib/tools.mjs'

await runMain(async () => {
  await ensureInstalled()
  await installTools()
  if (!findChromium()) throw new ExitError('Chromium could not be installed. Set CHROMIUM_PATH to an executable.')
  if (!findKubectl()) throw new ExitError('kubectl could not be installed. Add it to the PATH.')
})
