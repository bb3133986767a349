import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Endpoint } from './load'

export interface ServerProcess extends Endpoint {
  pid: number
  stop(): Promise<void>
}

/** The API server with a storage file, in a separate process, so that its cost excludes the clients. */
export async function startServer(path: string): Promise<ServerProcess> {
  // Set BENCH_PROFILE to a folder to write a CPU profile there.
  const { BENCH_PROFILE: profile } = process.env
  const execArgv = ['--import', 'tsx', ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])]
  const child = fork(new URL('./server-process.ts', import.meta.url).pathname, [path], { execArgv })
  // server-process.ts defines its messages.
  const ready = (await responseOf(child)) as Endpoint
  return {
    ...ready,
    pid: child.pid ?? 0,
    async stop() {
      const exited = once(child, 'exit')
      child.send('stop')
      await exited
    },
  }
}

async function responseOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const died = () => ended.abort(new Error('the server ended'))
  child.once('exit', died)
  const [message] = (await once(child, 'message', { signal: ended.signal })) as unknown[]
  child.off('exit', died)
  return message
}
