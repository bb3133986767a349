// `npm run requirements`: which requirements of docs/requirements.md are proven by tests (ADR 38). `-- --record` accepts a
// changed list, and raises the number below which the proven ones must not fall.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { judge } from './lib/proof.mjs'
import { inRepository } from './lib/repository.mjs'
import { checksumOf, coverage, differences, ranges, requirementIds } from './lib/requirements.mjs'
import { productTestFiles } from './lib/test-files.mjs'

const decisionsFile = 'scripts/requirements.json'
const read = (/** @type {string} */ path) =>
  existsSync(inRepository(path)) ? readFileSync(inRepository(path), 'utf8') : undefined
const decisions = JSON.parse(read(decisionsFile) ?? '{}')
const list = read('docs/requirements.md') ?? ''
const required = requirementIds(list)

const { citations, proven, doubts, problems } = judge(
  { testFiles: productTestFiles(), read },
  { ...decisions, ...JSON.parse(read('scripts/entry-points.json') ?? '{}') },
)

for (const { area, total, proven: count, uncited, doubted } of coverage(required, proven, doubts)) {
  console.log(
    `${area.padEnd(8)}${`${count}/${total}`.padStart(9)}${uncited.length ? `  not cited: ${ranges(uncited)}` : ''}`,
  )
  for (const [why, ids] of doubted) console.log(`${' '.repeat(19)}${ranges(ids)}: cited only by ${why}`)
}
const count = required.filter((id) => proven.has(id)).length
console.log(`${'All'.padEnd(8)}${`${count}/${required.length}`.padStart(9)}`)

const known = new Set(required)
for (const { ids, path } of citations) {
  problems.push(
    ...ids.filter((id) => !known.has(id)).map((id) => `${path} cites ${id}, which docs/requirements.md does not have.`),
  )
}
const found = { list: { total: required.length, sha256: checksumOf(list) }, proven: count }
const record = 'npm run requirements -- --record'
if (process.argv.includes('--record')) {
  // In its text, so that it keeps its layout.
  const text = (read(decisionsFile) ?? '')
    .replace(/"total": \d+/, `"total": ${found.list.total}`)
    .replace(/"sha256": "\w*"/, `"sha256": "${found.list.sha256}"`)
    .replace(/"proven": \d+/, `"proven": ${Math.max(count, decisions.proven)}`)
  writeFileSync(inRepository(decisionsFile), text)
} else {
  problems.push(...differences(decisions, found))
  if (count > decisions.proven) {
    console.log(
      `${count - decisions.proven} more than in ${decisionsFile}: \`${record}\` raises the number, to be committed.`,
    )
  }
  if (found.list.sha256 !== decisions.list.sha256) console.log(`If the list is to change, \`${record}\` accepts it.`)
}
for (const problem of new Set(problems)) console.error(problem)
if (problems.length > 0) process.exitCode = 1
