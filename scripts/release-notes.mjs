// Checks that a tag can be released, and writes its section of the changelog to a file:
// node scripts/release-notes.mjs v1.2.3 notes.md
import { readFileSync, writeFileSync } from 'node:fs'
import { releasedVersion, sectionOf } from './lib/changelog.mjs'
import { runMain } from './lib/exit-error.mjs'
import { inRepository } from './lib/repository.mjs'

await runMain(async () => {
  const [tag = '', file = ''] = process.argv.slice(2)
  const version = releasedVersion(tag, JSON.parse(readFileSync(inRepository('package.json'), 'utf8')))
  writeFileSync(file, sectionOf(readFileSync(inRepository('CHANGELOG.md'), 'utf8'), version))
})
