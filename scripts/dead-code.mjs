// What no entry point of the product reaches (`scripts/entry-points.json`, ADR 38), and options that nothing sets: code that
// only tests use, too.
import { existsSync, readFileSync } from 'node:fs'
import { findDeadCode } from './lib/dead-code.mjs'
import { filesUnder } from './lib/files.mjs'
import { inRepository } from './lib/repository.mjs'
import { findUnsetOptions } from './lib/unset-options.mjs'

const read = (/** @type {string} */ path) =>
  existsSync(inRepository(path)) ? readFileSync(inRepository(path), 'utf8') : undefined
const entryPoints = JSON.parse(read('scripts/entry-points.json') ?? '{}')
const files = filesUnder('packages').filter(
  (path) => /^packages\/\w+\/src\/.*\.([jt]s|tsx)$/.test(path) && !/\.(test|type-test)\.tsx?$/.test(path),
)
const { dead, needless } = findDeadCode({ files, read }, entryPoints)
const options = findUnsetOptions({ files, read }, entryPoints.writtenElsewhere)
for (const symbol of options.unset) console.error(`${symbol} is an option that nothing but tests sets.`)
for (const symbol of dead) console.error(`${symbol} is used by nothing but tests.`)
needless.push(...options.needless)
for (const symbol of needless) console.error(`${symbol} needs no exception in scripts/entry-points.json.`)
if (dead.length + needless.length + options.unset.length > 0) process.exitCode = 1
