import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAgainAndAgain } from '../test/kills'

/**
 * `npm run kills -w packages/apiserver -- [kills] [seed]`: kills a server's storage at random moments of
 * concurrent writes, and checks for every acknowledged write after each kill. 300 kills by default.
 */
const [kills = 300, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'apiserver-kills-'))
const beganMs = performance.now()
console.log(`${kills} kills, seed ${seed}`)
const { answered, lost, unopened } = await killAgainAndAgain(join(folder, 'data.db'), {
  kills,
  seed,
  report: (kill) => kill % 25 === 0 && console.log(`${kill} kills`),
})
rmSync(folder, { recursive: true })
console.table({
  kills,
  'files that did not open': unopened.length,
  'answered writes': answered,
  'of them lost': lost.length,
  seconds: Math.round((performance.now() - beganMs) / 1000),
})
for (const text of [...unopened, ...lost]) console.error(text)
if (unopened.length + lost.length > 0) process.exitCode = 1
