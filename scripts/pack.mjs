// `npm run pack`: builds the package that people install, as a tarball in dist/. With `--check`, also builds it from a
// second clone of the last commit, and fails unless both are the same bytes.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ExitError, runMain } from './lib/exit-error.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepository, npmCommand, root } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

await runMain(async () => {
  await ensureInstalled()
  const { ensureBuilt } = await import('./lib/build.mjs')
  const { packSlipway } = await import('./lib/package.mjs')
  await ensureBuilt()
  const destination = inRepository('dist')
  mkdirSync(destination, { recursive: true })
  const tarball = await packSlipway(destination)
  console.log(`${sha256(tarball)}  ${tarball}`)
  if (process.argv.includes('--check')) await checkSecondClone(tarball)
})

/** @param {string} tarball */
async function checkSecondClone(tarball) {
  const clone = mkdtempSync(join(tmpdir(), 'slipway-clone-'))
  try {
    await runOrFail(['git', 'clone', '--quiet', root, clone])
    await runOrFail([...npmCommand(), 'run', 'pack'], clone)
    const second = join(clone, 'dist', basename(tarball))
    if (sha256(second) !== sha256(tarball)) {
      throw new ExitError(
        'The package from a second clone differs. Commit all changes first; otherwise something in the build depends on its folder or on the time.',
      )
    }
    console.log('The package from a second clone is the same.')
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

/** @param {string[]} command @param {string} [cwd] */
async function runOrFail(command, cwd) {
  const { exitCode, output } = await run(command, { cwd, quiet: true })
  if (exitCode !== 0) throw new ExitError(`${command.join(' ')} failed (see above).`, output)
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
