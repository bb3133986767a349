// What no entry point of the product reaches (`scripts/entry-points.json`, ADR 38): code that only tests use, too.
import { existsSync, readFileSync } from 'node:fs'
import { findDeadCode } from './lib/dead-code.mjs'
import { filesUnder } from './lib/files.mjs'
import { inRepository } from './lib/repository.mjs'

const read = (/** @type {string} */ path) =>
  existsSync(inRepository(path)) ? readFileSync(inRepository(path), 'utf8') : undefined
const entryPoints = JSON.parse(read('scripts/entry-points.json') ?? '{}')
const files = filesUnder('packages').filter(
  (path) => /^packages\/\w+\/src\/.*\.([jt]s|tsx)$/.test(path) && !/\.(test|type-test)\.tsx?$/.test(path),
)
const { dead, needless } = findDeadCode({ files, read }, entryPoints)
for (const symbol of dead) console.error(`${symbol} is used by nothing but tests.`)
for (const symbol of needless) console.error(`${symbol} needs no exception in scripts/entry-points.json.`)
if (dead.length > 0 || needless.length > 0) process.exitCode = 1
