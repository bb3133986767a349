// Measures the cost of an idle `npm start`: the scenario `demo` with its simulator and archive, in the built command.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCommand } from './processes.mjs'

const settleSeconds = 60
const measuredSeconds = 60
const aims = { cpu: 3, pss: 250 }

if (process.platform !== 'linux') {
  console.log('Skipped: there is no /proc to read from.')
  process.exit()
}
const data = await mkdtemp(join(tmpdir(), 'slipway-at-rest-'))
const { readySeconds, usage, stop } = await startCommand(data)

await sleep(settleSeconds * 1_000)
const before = await usage()
await sleep(measuredSeconds * 1_000)
const after = await usage()
await stop()
await rm(data, { recursive: true })

console.table({
  'to the ready line, s': { measured: readySeconds.toFixed(1), aim: '' },
  [`CPU over ${measuredSeconds} s, % of a core`]: {
    measured: ((100 * (after.cpuSeconds - before.cpuSeconds)) / measuredSeconds).toFixed(1),
    aim: `< ${aims.cpu}`,
  },
  'memory (PSS), MB': { measured: Math.round(after.pssMb), aim: `< ${aims.pss}` },
})
