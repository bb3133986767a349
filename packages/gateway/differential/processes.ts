import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'

export interface Running {
  stop(): Promise<void>
}

const startMs = 30_000
const stepMs = 100

/** Ports that are currently free: the programs must know each other's ports before any of them starts. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  // Listening on a port, so the address is an object.
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** Starts a program and waits until this URL gives any response. */
export async function start(
  path: string,
  args: string[],
  { url, log }: { url: string; log: string },
): Promise<Running> {
  const file = openSync(log, 'w')
  const child = spawn(path, args, { stdio: ['ignore', file, file] })
  const exited = once(child, 'exit')
  const running: Running = {
    async stop() {
      child.kill()
      await exited
    },
  }
  for (let waitedMs = 0; waitedMs < startMs; waitedMs += stepMs) {
    if (child.exitCode !== null) throw new Error(`${path} exited: ${(await readFile(log, 'utf8')).slice(-2_000)}`)
    const answer = await fetch(url, { redirect: 'manual' }).catch(() => undefined)
    if (answer) return running
    await later(stepMs)
  }
  await running.stop()
  throw new Error(`${path} does not respond: ${(await readFile(log, 'utf8')).slice(-2_000)}`)
}
