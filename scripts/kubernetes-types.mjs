// `npm run kubernetes-types`: generates the protobuf messages and the schemas of built-in kinds for the embedded API
// server from the version of Kubernetes that scripts/control-plane builds. Requires Go.
import { writeFileSync } from 'node:fs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { inRepository } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

await runMain(async () => {
  await generate('./messages', 'packages/apiserver/src/protobuf/messages.json')
  await generate('./schemas', 'packages/apiserver/src/openapi/builtin-schemas.json')
})

/** @param {string} program @param {string} file */
async function generate(program, file) {
  const { exitCode, output } = await run(['go', 'run', program], {
    cwd: inRepository('scripts/control-plane/kubernetes'),
    env: { GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
    quiet: true,
  })
  if (exitCode !== 0) throw new ExitError(`${file} could not be generated.`, output)
  // Before the JSON, Go may report what it downloads.
  const json = output.slice(output.indexOf('{'))
  JSON.parse(json)
  writeFileSync(inRepository(file), json)
}
