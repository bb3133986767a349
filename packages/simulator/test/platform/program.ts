import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { basename, join } from 'node:path'

/** A program that runs until it is closed, at the latest as long as this process. */
export interface Program {
  /** Rejects with the end of its log if the program ends by itself. */
  failed: Promise<never>
  close(): Promise<void>
}

interface ProgramOptions {
  /** For its log. */
  folder: string
  env: Record<string, string>
  cwd?: string
  /** The signal that ends it; `SIGTERM` by default. */
  signal?: NodeJS.Signals
}

/** @param name of the program in errors: `Tekton's controller` */
export function startProgram(
  name: string,
  [file = '', ...args]: string[],
  { folder, env, cwd, signal = 'SIGTERM' }: ProgramOptions,
): Program {
  const logPath = join(folder, `${basename(name)}.log`)
  const log = openSync(logPath, 'a')
  const child = spawn(file, args, { env, cwd, stdio: ['ignore', log, log] })
  closeSync(log)
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')])
  let isClosing = false
  const failed = ended.then(() => {
    if (isClosing) return new Promise<never>(() => {})
    throw new Error(`${name} ended:\n${readFileSync(logPath, 'utf8').slice(-4_000)}`)
  })
  failed.catch(() => {})
  return {
    failed,
    async close() {
      isClosing = true
      process.off('exit', killWithUs)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await ended
    },
  }
}

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
