// Builds programs of the platform from their Go modules. The go.mod files in the folders next to this file set the versions.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ExitError } from '../lib/exit-error.mjs'
import { buildProgram, goEnvironment, programFolder } from '../lib/go-programs.mjs'
import { inRepository } from '../lib/repository.mjs'
import { run } from '../lib/run.mjs'

const tekton = 'scripts/platform/tekton'
const tkn = 'scripts/platform/tkn'
const tektonResults = 'scripts/platform/tekton-results'
const oauth2Proxy = 'scripts/platform/oauth2-proxy'

/** The paths of the programs, and of the manifests of Tekton and Tekton Results, whether or not they have been built. */
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
    tknResults: inCache(tektonResults, 'tkn-results'),
    resultsApi: inCache(tektonResults, 'tekton-results-api'),
    resultsWatcher: inCache(tektonResults, 'tekton-results-watcher'),
    resultsConfig: inCache(tektonResults, 'tekton-results-config'),
    oauth2Proxy: inCache(oauth2Proxy, 'oauth2-proxy'),
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
  const ofResults = (/** @type {string} */ name) => ({
    module: tektonResults,
    main: `github.com/tektoncd/results/cmd/${name}`,
  })
  await buildProgram(programs.tknResults, ofResults('tkn-results'))
  await buildProgram(programs.resultsApi, ofResults('api'))
  await buildProgram(programs.resultsWatcher, ofResults('watcher'))
  await buildProgram(programs.oauth2Proxy, { module: oauth2Proxy, main: 'github.com/oauth2-proxy/oauth2-proxy/v7' })
  await copyManifests(programs.config, { module: tekton, from: 'github.com/tektoncd/pipeline' })
  await copyManifests(programs.resultsConfig, { module: tektonResults, from: 'github.com/tektoncd/results' })
  return programs
}

/**
 * Copies the manifests of a module, unless they have been copied.
 * @param {string} path
 * @param {{ module: string, from: string }} source a module that one of ours requires
 */
async function copyManifests(path, { module, from }) {
  if (existsSync(path)) return
  const unfinished = `${path}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(join(await folderOf(from, module), 'config'), unfinished, { recursive: true })
  renameSync(unfinished, path)
}

/**
 * @param {string} path of a module
 * @param {string} wrapper folder of the module of ours that requires it
 */
async function folderOf(path, wrapper) {
  const { exitCode, output } = await run(['go', 'list', '-m', '-f', '{{.Dir}}', path], {
    cwd: inRepository(wrapper),
    env: goEnvironment,
    quiet: true,
  })
  if (exitCode !== 0) throw new ExitError(`The folder of ${path} could not be found.`, output)
  return output.trim()
}
