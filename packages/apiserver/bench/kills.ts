import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRepeatedly } from '../test/kills'

/**
 * `npm run kills -w packages/apiserver -- [kills] [seed]`: kills a server's storage at random moments of
 * concurrent writes, and checks for every acknowledged write after each kill. 300 kills by default.
 */
const [kills = 300, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'apiserver-kills-'))
const startMs = performance.now()
console.log(`${kills} kills, seed ${seed}`)
const { acknowledged, lost, openErrors } = await killRepeatedly(join(folder, 'data.db'), {
  kills,
  seed,
  report: (kill) => kill % 25 === 0 && console.log(`${kill} kills`),
})
rmSync(folder, { recursive: true })
console.table({
  kills,
  'files that could not be opened': openErrors.length,
  'acknowledged writes': acknowledged,
  'lost writes': lost.length,
  seconds: Math.round((performance.now() - startMs) / 1000),
})
for (const text of [...openErrors, ...lost]) console.error(text)
if (openErrors.length + lost.length > 0) process.exitCode = 1
