// `npm start`: from a fresh clone to a running product. Until the packages are installed only Node itself is there,
// and until the version is checked only what every Node understands: hence the imports inside.
import { requireSupportedNode } from './lib/node-version.mjs'

requireSupportedNode()

// Its text may be read in part, as by `npm start | head`, or not at all: the product runs on.
process.stdout.on('error', () => {})

const { runMain } = await import('./lib/exit-error.mjs')
const { ensureInstalled } = await import('./lib/install.mjs')
const { ensureBuilt } = await import('./lib/build.mjs')

await runMain(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // In this very process, so that Ctrl-C reaches the product and its exit code is ours.
  const { main } = await import(new URL('../packages/slipway/dist/cli.js', import.meta.url).href)
  await main(process.argv.slice(2))
})
