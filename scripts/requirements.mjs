// `npm run requirements`: how much of docs/requirements.md the tests prove. Fails on an id that does not exist.
import { readFileSync } from 'node:fs'
import { filesUnder } from './lib/files.mjs'
import { inRepository } from './lib/repository.mjs'
import { citedIds, coverage, ranges, requirementIds } from './lib/requirements.mjs'

const required = requirementIds(readFileSync(inRepository('docs/requirements.md'), 'utf8'))
const testFiles = ['packages', 'e2e', 'scripts'].flatMap(filesUnder).filter((path) => /\.(test|spec)\.tsx?$/.test(path))
const citations = testFiles.flatMap((path) =>
  citedIds(path, readFileSync(inRepository(path), 'utf8')).map((id) => ({ id, path })),
)

const areas = coverage(
  required,
  citations.map(({ id }) => id),
)
for (const { area, total, unproven } of areas) {
  const counts = `${total - unproven.length}/${total}`.padStart(7)
  console.log(`${area.padEnd(8)}${counts}${unproven.length ? `  not proven: ${ranges(unproven)}` : ''}`)
}
const proven = areas.reduce((sum, { total, unproven }) => sum + total - unproven.length, 0)
console.log(`${'All'.padEnd(8)}${`${proven}/${required.length}`.padStart(7)}`)

const known = new Set(required)
for (const { id, path } of citations.filter(({ id }) => !known.has(id))) {
  console.error(`${path} cites ${id}, which docs/requirements.md does not have.`)
  process.exitCode = 1
}
