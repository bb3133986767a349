// Builds programs of the platform from their Go modules. The go.mod files in the folders next to this file set the versions.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ExitError } from '../lib/exit-error.mjs'
import { buildProgram, goEnvironment, programFolder } from '../lib/go-programs.mjs'
import { inRepository } from '../lib/repository.mjs'
import { run } from '../lib/run.mjs'

const tekton = 'scripts/platform/tekton'
const tkn = 'scripts/platform/tkn'
const tknResults = 'scripts/platform/tkn-results'

/** The paths of the programs, and of Tekton's manifests, whether or not they have been built. */
export function platformPrograms() {
  const inCache = (/** @type {string} */ module, /** @type {string} */ name) =>
    join(programFolder('platform', [module]), name)
  return {
    controller: inCache(tekton, 'tekton-controller'),
    config: inCache(tekton, 'tekton-config'),
    webhook: inCache(tekton, 'tekton-webhook'),
    entrypoint: inCache(tekton, 'tekton-entrypoint'),
    nop: inCache(tekton, 'tekton-nop'),
    workingdirinit: inCache(tekton, 'tekton-workingdirinit'),
    tkn: inCache(tkn, 'tkn'),
    tknResults: inCache(tknResults, 'tkn-results'),
  }
}

export const isPlatformBuilt = () => Object.values(platformPrograms()).every((path) => existsSync(path))

/**
 * Builds what is not in the cache. `docs/adr/0061-real-tekton-in-tests.md` says what the first time takes.
 * @returns the paths, as `platformPrograms`
 */
export async function buildPlatform() {
  const programs = platformPrograms()
  for (const name of /** @type {const} */ (['controller', 'webhook', 'entrypoint', 'nop', 'workingdirinit'])) {
    await buildProgram(programs[name], { module: tekton, main: `github.com/tektoncd/pipeline/cmd/${name}` })
  }
  await buildProgram(programs.tkn, { module: tkn, main: '.' })
  await buildProgram(programs.tknResults, { module: tknResults, main: 'github.com/tektoncd/results/cmd/tkn-results' })
  if (!existsSync(programs.config)) {
    const unfinished = `${programs.config}.${process.pid}`
    rmSync(unfinished, { recursive: true, force: true })
    cpSync(join(await moduleFolder('github.com/tektoncd/pipeline'), 'config'), unfinished, { recursive: true })
    renameSync(unfinished, programs.config)
  }
  return programs
}

/** @param {string} path of a module that Tekton's wrapper requires */
async function moduleFolder(path) {
  const { exitCode, output } = await run(['go', 'list', '-m', '-f', '{{.Dir}}', path], {
    cwd: inRepository(tekton),
    env: goEnvironment,
    quiet: true,
  })
  if (exitCode !== 0) throw new ExitError(`The folder of ${path} could not be found.`, output)
  return output.trim()
}
