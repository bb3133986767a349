// `npm run protobuf-messages`: generates packages/apiserver/src/protobuf/messages.json from the Go types of the version
// of Kubernetes that scripts/control-plane builds. Requires Go.
import { writeFileSync } from 'node:fs'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { inRepository } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

await runMain(async () => {
  const { exitCode, output } = await run(['go', 'run', './messages'], {
    cwd: inRepository('scripts/control-plane/kubernetes'),
    env: { GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
    quiet: true,
  })
  if (exitCode !== 0) throw new ExitError('The messages could not be generated.', output)
  // Before the JSON, Go may report what it downloads.
  const json = output.slice(output.indexOf('{'))
  JSON.parse(json)
  writeFileSync(inRepository('packages/apiserver/src/protobuf/messages.json'), json)
})
