import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'

export interface Usage {
  /** Peak memory during the run, and memory before it. */
  peakBytes: number
  idleBytes: number
  /** Memory after the run and a garbage collection. */
  nowBytes: number
  /** CPU time of all threads. */
  cpuMs: number
}

export interface GatewayProcess {
  url: string
  /** Number of open files and connections; NaN where the system does not provide it. */
  openFiles(): Promise<number>
  /** One for each user. */
  cookies: string[]
  /**
   * Measures the process while `run` runs. Sampling its memory costs it some CPU time: one percent at 5 ms.
   * @param sampleMs the sampling interval
   */
  during<A>(run: () => Promise<A>, sampleMs?: number): Promise<Usage & { result: A; ms: number }>
  stop(): Promise<void>
}

export interface UpstreamProcess {
  url: string
  /** Sends events at this rate to one watch after the other for the given time; returns how many. */
  sendSteadily(perSecond: number, forMs: number): Promise<number>
  stop(): Promise<void>
}

export async function startGateway(upstreamUrl: string, people = 1): Promise<GatewayProcess> {
  const child = start('./gateway-process.ts', [upstreamUrl, String(people)])
  // The type of the message in gateway-process.ts.
  const ready = (await nextMessage(child)) as { url: string; cookies: string[] }
  return {
    ...ready,
    openFiles: () =>
      readdir(`/proc/${child.pid}/fd`).then(
        ({ length }) => length,
        () => NaN,
      ),
    async during(run, sampleMs = 5) {
      child.send({ sampleMs })
      const { idleBytes } = (await nextMessage(child)) as { idleBytes: number }
      const startedMs = performance.now()
      const result = await run()
      const ms = performance.now() - startedMs
      child.send('end')
      const usage = (await nextMessage(child)) as Omit<Usage, 'idleBytes'>
      return { ...usage, idleBytes, result, ms }
    },
    stop: () => stop(child),
  }
}

export async function startUpstream(): Promise<UpstreamProcess> {
  const child = start('./upstream-process.ts', [])
  // The type of the message in upstream-process.ts.
  const { url } = (await nextMessage(child)) as { url: string }
  return {
    url,
    async sendSteadily(perSecond, forMs) {
      child.send({ steadily: [perSecond, forMs] })
      const { sent } = (await nextMessage(child)) as { sent: number }
      return sent
    },
    stop: () => stop(child),
  }
}

/** Events that a watchers process received for one URL. */
export interface Watched {
  events: number
  /** Events with an unexpected version: lost, duplicated or out of order. */
  wrong: number
  /** Websockets that ended unexpectedly. */
  ended: number
  /** Delay from the upstream to the watcher in ms. */
  p50: number
  p99: number
}

export interface WatchersProcess {
  /** Resolves after this many events since the last call, or after ten seconds without events. */
  seen(events: number): Promise<Watched[]>
  stop(): Promise<void>
}

export interface Watching {
  url: string
  count: number
  origin?: string
  cookies?: string[]
}

/** Opens watches in a separate process; resolves when they are open. */
export async function startWatchers(all: Watching[]): Promise<WatchersProcess> {
  const child = start('./watchers-process.ts', [])
  child.send({ all })
  await nextMessage(child)
  return {
    async seen(events) {
      child.send({ seen: events })
      return (await nextMessage(child)) as Watched[]
    },
    stop: () => stop(child),
  }
}

function start(file: string, args: string[]): ChildProcess {
  // Set BENCH_PROFILE to a folder for CPU profiles.
  const { BENCH_PROFILE: profile } = process.env
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const execArgv = ['--expose-gc', '--import', 'tsx', ...profiling]
  return fork(new URL(file, import.meta.url).pathname, args, { execArgv })
}

async function stop(child: ChildProcess) {
  const exited = once(child, 'exit')
  child.send('stop')
  await exited
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const died = () => ended.abort(new Error('a process of the bench exited'))
  child.once('exit', died)
  const [message] = (await once(child, 'message', { signal: ended.signal })) as unknown[]
  child.off('exit', died)
  return message
}
