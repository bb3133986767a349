// The built command as a child process, and what it costs. Linux only, since it reads /proc.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Unit of the kernel's accounting: a hundredth of a second on every platform that Node supports. */
const ticksPerSecond = 100
const program = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
const ports = ['--port=0', '--api-port=0', '--sign-in-port=0', '--git-port=0']

/**
 * Starts `npm start` on free ports and waits until it is ready.
 * @param {string} data folder for all data
 * @param {string[]} flags
 */
export async function startCommand(data, flags = []) {
  const startedMs = performance.now()
  const args = [program, `--data=${data}`, ...ports, ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let output = ''
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Slipway is ready')) resolve(undefined)
    })
    ended.then(() => reject(new Error(`Slipway ended before it was ready.\n${output}`)))
  })
  return {
    readySeconds: (performance.now() - startedMs) / 1_000,
    /** CPU time and memory of the command and of the separate cluster process. */
    usage: async () => total([child.pid, ...(await childrenOf(child.pid))]),
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** @param {number | undefined} pid */
async function childrenOf(pid) {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** @param {(number | undefined)[]} pids */
async function total(pids) {
  const all = await Promise.all(pids.map(usageOf))
  return {
    cpuSeconds: all.reduce((sum, each) => sum + each.cpuSeconds, 0),
    // Memory shared by two processes counts once.
    pssMb: all.reduce((sum, each) => sum + each.pssMb, 0),
  }
}

/** @param {number | undefined} pid */
async function usageOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The program name, which comes second, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const pssKb = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1])
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, pssMb: pssKb / 1_024 }
}
