// `npm start`: from a fresh clone to a running product. Other modules are imported late: until the packages are installed
// only Node is available, and until its version is checked only old syntax is safe.
import { requireSupportedNode } from './lib/node-version.mjs'

requireSupportedNode()

// The product keeps running if its output is read only in part, as by `npm start | head`, or not at all.
process.stdout.on('error', () => {})

const { runMain } = await import('./lib/exit-error.mjs')
const { ensureInstalled } = await import('./lib/install.mjs')
const { ensureBuilt } = await import('./lib/build.mjs')

await runMain(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // Run in this process, so that Ctrl-C reaches the product and its exit code is ours.
  const { main } = await import(new URL('../packages/slipway/dist/cli.js', import.meta.url).href)
  await main(process.argv.slice(2))
})
