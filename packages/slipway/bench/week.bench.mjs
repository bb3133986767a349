// Measures what the scenario `demo` costs after a simulated week: it runs that fast, then in real time, in the built
// command. At 20 times real speed a week takes eight hours and a half, and the machine must not be busy otherwise, or
// things happen later than they should. Runs only if WEEK_HOURS is set: 168 for a week, 24 for a day.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCommand } from './processes.mjs'

const hours = Number(process.env.WEEK_HOURS ?? 0)
const speed = Number(process.env.WEEK_SPEED ?? 20)
/** What was running when the simulation became slower ends in real time. */
const settleSeconds = 2_400
const measuredSeconds = 1_200
const aims = { cpu: 3, pss: 300, mb: 300 }

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
const before = await slow.usage()
await sleep(measuredSeconds * 1_000)
const after = await slow.usage()
const mb = await dataMb()
await slow.stop()
await rm(data, { recursive: true })

const share = (/** @type {number} */ seconds, /** @type {number} */ of) => ((100 * seconds) / of).toFixed(1)
console.table({
  [`CPU over ${measuredSeconds} s afterwards, % of a core`]: {
    measured: share(after.cpuSeconds - before.cpuSeconds, measuredSeconds),
    aim: `at most ${aims.cpu}`,
  },
  'memory (PSS), MB': { measured: Math.round(after.pssMb), aim: `at most ${aims.pss}` },
  'data folder, MB': { measured: Math.round(mb), aim: `at most ${aims.mb}` },
  'data folder after each quarter, MB': { measured: sizes.map(Math.round).join(', '), aim: 'no longer grows' },
})
