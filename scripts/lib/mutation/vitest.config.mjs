// Mutates or instruments modules while Vitest loads them: no file is changed.
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { sharedTestSettings } from '../patience.mjs'
import { pathInRepository } from '../report.mjs'
import { inRepository, root } from '../repository.mjs'
import { instrument, keyOf, mutate, mutationsIn } from './mutations.mjs'
import { cacheVariable, mutantVariable } from './vitest-run.mjs'

const ofProduct = /^packages\/[^/]+\/src\/.*\.tsx?$/
const isTestCode = /\.(test|type-test|d)\.tsx?$|\/testing(\.ts$|\/)/
/** Generated modules are data. */
const maxLength = 200_000
const mutant = process.env[mutantVariable]
/** Most modules are the same for each mutant, and compiling them takes most of the time of its tests. */
const experimental = { fsModuleCache: true, fsModuleCachePath: process.env[cacheVariable] }

/** @type {import('vite').Plugin} */
const mutation = {
  name: 'slipway:mutation',
  enforce: 'pre',
  configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
    defineCacheKey(({ id }) => {
      const path = pathInRepository(id)
      return ofProduct.test(path) && (!mutant || mutant.startsWith(`${path}:`)) ? `mutant ${mutant}` : undefined
    })
  },
  transform(code, id) {
    const path = pathInRepository(id)
    if (!ofProduct.test(path) || isTestCode.test(path) || code.length > maxLength) return
    if (!mutant) return { code: instrument(path, code), map: null }
    if (!mutant.startsWith(`${path}:`)) return
    const change = mutationsIn(path, readFileSync(inRepository(path), 'utf8')).find(
      (_, index) => keyOf(path, index) === mutant,
    )
    return change && { code: mutate(code, change), map: null }
  },
}

const recorder = mutant ? [] : [inRepository('scripts/lib/mutation/recorder.mjs')]
const consoleFolder = inRepository('packages/console')

export default defineConfig({
  root,
  test: {
    experimental,
    projects: [
      {
        root,
        plugins: [mutation],
        test: {
          ...sharedTestSettings,
          retry: 0,
          experimental,
          name: 'node',
          include: ['packages/*/{src,test}/**/*.test.ts'],
          exclude: ['packages/console/**', '**/cluster/**', '**/node_modules/**'],
          setupFiles: [...recorder, ...sharedTestSettings.setupFiles],
        },
      },
      {
        extends: `${consoleFolder}/vite.config.ts`,
        root: consoleFolder,
        plugins: [mutation],
        test: { retry: 0, root: consoleFolder, setupFiles: recorder, experimental },
      },
    ],
  },
})
