// `npm run sbom`: writes the bill of materials of the package (CycloneDX) to dist/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { runMain } from './lib/exit-error.mjs'
import { createSbom } from './lib/sbom.mjs'
import { inRepository } from './lib/repository.mjs'

await runMain(async () => {
  mkdirSync(inRepository('dist'), { recursive: true })
  const file = inRepository('dist/slipway.cdx.json')
  writeFileSync(file, await createSbom())
  console.log(file)
})
