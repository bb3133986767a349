import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const start = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url))

/** The command in a separate process. */
export interface Command {
  /** Output so far, both streams. */
  output(): string
  /** The URL from its ready message; rejects with the output if it exits first. */
  ready: Promise<string>
  /** Its exit code; `null` if a signal ended it. */
  exited: Promise<number | null>
  pid: number | undefined
  signal(signal: NodeJS.Signals): void
  /** Sends a signal to this process and its children. */
  signalAll(signal: NodeJS.Signals): void
  /** Closes our end of its standard output. */
  stopReading(): void
}

/** As `npm start` runs it. */
export const runCommand = (args: readonly string[], env?: Record<string, string>): Command =>
  runProgram(process.execPath, [start, ...args], env)

/** As it is installed. @param env besides the environment of the tests */
export function runProgram(program: string, args: readonly string[], env: Record<string, string> = {}): Command {
  // A detached process leads its own process group.
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  })
  let output = ''
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const url = output.match(/^Slipway is ready: (\S+)/m)?.[1]
      if (url) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then(() => reject(new Error(`The command exited before it was ready:\n${output}`)))
  })
  ready.catch(() => {}) // only awaited by tests that expect it to become ready
  return {
    output: () => output,
    ready,
    exited,
    pid: child.pid,
    signal: (signal) => child.kill(signal),
    signalAll: (signal) => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
    },
    stopReading: () => child.stdout.destroy(),
  }
}

/** A currently free port of 127.0.0.1. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server's address is an object; only one on a named pipe is a string.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
