// `npm run requirements`: which ids of docs/requirements.md tests cite. Fails on an id that does not exist.
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
for (const { area, total, uncited } of areas) {
  const counts = `${total - uncited.length}/${total}`.padStart(7)
  console.log(`${area.padEnd(8)}${counts}${uncited.length ? `  not cited: ${ranges(uncited)}` : ''}`)
}
const cited = areas.reduce((sum, { total, uncited }) => sum + total - uncited.length, 0)
console.log(`${'All'.padEnd(8)}${`${cited}/${required.length}`.padStart(7)}`)

const known = new Set(required)
for (const { id, path } of citations.filter(({ id }) => !known.has(id))) {
  console.error(`${path} cites ${id}, which docs/requirements.md does not have.`)
  process.exitCode = 1
}
