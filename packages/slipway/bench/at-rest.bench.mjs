// Measures the cost of an idle `npm start`: the scenario `demo` with its simulator and archive, in the built command.
// Linux only, since it reads /proc.
import { spawn } from 'node:child_process'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const settleSeconds = 60
const measuredSeconds = 60
const aims = { cpu: 3, pss: 250 }
/** Unit of the kernel's accounting: a hundredth of a second on every platform that Node supports. */
const ticksPerSecond = 100

if (process.platform !== 'linux') {
  console.log('Skipped: there is no /proc to read from.')
  process.exit()
}
const data = await mkdtemp(join(tmpdir(), 'slipway-at-rest-'))
const start = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']
const startedMs = performance.now()
const child = spawn(process.execPath, [start, `--data=${data}`, ...ports], { stdio: ['ignore', 'pipe', 'inherit'] })
const ended = new Promise((resolve) => child.on('close', resolve))
let output = ''
await new Promise((resolve, reject) => {
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (output.includes('Slipway is ready')) resolve(undefined)
  })
  ended.then(() => reject(new Error(`Slipway ended before it was ready.\n${output}`)))
})
const readySeconds = (performance.now() - startedMs) / 1_000

await sleep(settleSeconds * 1_000)
// The command and the separate cluster process.
const pids = [child.pid, ...(await childrenOf(child.pid))]
const before = await total(pids)
await sleep(measuredSeconds * 1_000)
const after = await total(pids)
child.kill('SIGINT')
await ended
await rm(data, { recursive: true })

console.table({
  'to the ready line, s': { measured: readySeconds.toFixed(1), aim: '' },
  [`CPU over ${measuredSeconds} s, % of a core`]: {
    measured: ((100 * (after.cpuSeconds - before.cpuSeconds)) / measuredSeconds).toFixed(1),
    aim: `< ${aims.cpu}`,
  },
  'memory (PSS), MB': { measured: Math.round(after.pssMb), aim: `< ${aims.pss}` },
})

/** @param {number | undefined} pid */
async function childrenOf(pid) {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** @param {(number | undefined)[]} pids */
async function total(pids) {
  const all = await Promise.all(pids.map(usage))
  return {
    cpuSeconds: all.reduce((sum, each) => sum + each.cpuSeconds, 0),
    // Memory shared by two processes counts once.
    pssMb: all.reduce((sum, each) => sum + each.pssMb, 0),
  }
}

/** @param {number | undefined} pid */
async function usage(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The program name, which comes second, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const pssKb = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1])
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, pssMb: pssKb / 1_024 }
}
