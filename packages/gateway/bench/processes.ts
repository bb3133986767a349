import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface Usage {
  /** The most it had since the beginning, and before. */
  peakBytes: number
  idleBytes: number
  /** When it was over and its garbage collected. */
  nowBytes: number
  /** Of all its threads. */
  cpuMs: number
}

export interface GatewayProcess {
  url: string
  /** One for each person. */
  cookies: string[]
  /** What it used while this ran. */
  during<A>(run: () => Promise<A>): Promise<Usage & { result: A; ms: number }>
  stop(): Promise<void>
}

export interface UpstreamProcess {
  url: string
  /** So many events to every watch that is open. */
  tell(count: number): Promise<void>
  stop(): Promise<void>
}

export async function startGateway(upstreamUrl: string, people = 1): Promise<GatewayProcess> {
  const child = start('./gateway-process.ts', [upstreamUrl, String(people)])
  // What it sends is told by gateway-process.ts.
  const ready = (await answerOf(child)) as { url: string; cookies: string[] }
  return {
    ...ready,
    async during(run) {
      child.send('begin')
      const { idleBytes } = (await answerOf(child)) as { idleBytes: number }
      const beganMs = performance.now()
      const result = await run()
      const ms = performance.now() - beganMs
      child.send('end')
      const usage = (await answerOf(child)) as Omit<Usage, 'idleBytes'>
      return { ...usage, idleBytes, result, ms }
    },
    stop: () => stop(child),
  }
}

export async function startUpstream(): Promise<UpstreamProcess> {
  const child = start('./upstream-process.ts', [])
  // What it sends is told by upstream-process.ts.
  const { url } = (await answerOf(child)) as { url: string }
  return {
    url,
    async tell(count) {
      child.send({ tell: count })
      await answerOf(child)
    },
    stop: () => stop(child),
  }
}

function start(file: string, args: string[]): ChildProcess {
  // Set BENCH_PROFILE to a folder to find there where the time went.
  const { BENCH_PROFILE: profile } = process.env
  const execArgv = ['--expose-gc', '--import', 'tsx', ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])]
  return fork(new URL(file, import.meta.url).pathname, args, { execArgv })
}

async function stop(child: ChildProcess) {
  const exited = once(child, 'exit')
  child.send('stop')
  await exited
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const died = () => ended.abort(new Error('a process of the bench ended'))
  child.once('exit', died)
  const [message] = (await once(child, 'message', { signal: ended.signal })) as unknown[]
  child.off('exit', died)
  return message
}
