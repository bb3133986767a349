// Measures what the scenario `demo` costs after a simulated week: it runs that fast, then in real time, in the built
// command. At 20 times real speed a week takes eight hours and a half, and the machine must not be busy otherwise, or
// things happen later than they should. Runs only if WEEK_HOURS is set: 168 for a week, 24 for a day.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPage } from './page.mjs'
import { startCommand } from './processes.mjs'

const hours = Number(process.env.WEEK_HOURS ?? 0)
const speed = Number(process.env.WEEK_SPEED ?? 20)
/** What was running when the simulation became slower ends in real time. */
const settleSeconds = 2_400
const measuredSeconds = 1_200
const aims = { cpu: 3, cpuWithPage: 5, pss: 300, mb: 300 }

if (hours === 0) {
  console.log('Skipped, since it takes hours: set WEEK_HOURS=168 to simulate a week.')
  process.exit()
}
if (process.platform !== 'linux') {
  console.log('Skipped: there is no /proc to read from.')
  process.exit()
}
const data = await mkdtemp(join(tmpdir(), 'slipway-week-'))
const dataMb = async () => {
  const sizes = await Promise.all((await readdir(data)).map(async (name) => (await stat(join(data, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024 ** 2
}

const fast = await startCommand(data, [`--speed=${speed}`])
/** @type {number[]} */
const sizes = []
for (let quarter = 1; quarter <= 4; quarter++) {
  await sleep((hours / 4 / speed) * 3_600_000)
  sizes.push(await dataMb())
}
await fast.stop()

const slow = await startCommand(data)
await sleep(settleSeconds * 1_000)
/** What it uses in the next minutes. */
async function measure() {
  const before = await slow.usage()
  await sleep(measuredSeconds * 1_000)
  const after = await slow.usage()
  const cpuPercent = (100 * (after.cpuSeconds - before.cpuSeconds)) / measuredSeconds
  return { cpu: cpuPercent.toFixed(1), pssMb: Math.round(after.pssMb) }
}
const unwatched = await measure()
const closePage = await openPage(data)
const withPage = await measure()
closePage()
const mb = await dataMb()
await slow.stop()
await rm(data, { recursive: true })

console.table({
  [`CPU over ${measuredSeconds} s afterwards, % of a core`]: { measured: unwatched.cpu, aim: `at most ${aims.cpu}` },
  'CPU with a page open, % of a core': { measured: withPage.cpu, aim: `at most ${aims.cpuWithPage}` },
  'memory (PSS), MB': { measured: unwatched.pssMb, aim: `at most ${aims.pss}` },
  'memory with a page open, MB': { measured: withPage.pssMb, aim: `at most ${aims.pss}` },
  'data folder, MB': { measured: Math.round(mb), aim: `at most ${aims.mb}` },
  'data folder after each quarter, MB': { measured: sizes.map(Math.round).join(', '), aim: 'no longer grows' },
})
