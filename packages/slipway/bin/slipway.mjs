#!/usr/bin/env node
// Runs the built command `slipway`.
const { main } = await import('../dist/cli.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist/cli.js')) throw error
  process.stderr.write('The slipway command is not built. Run npm start once, or npm run build -w packages/slipway.\n')
  process.exit(1)
})
await main(process.argv.slice(2))
