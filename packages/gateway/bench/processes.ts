import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'

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
  /** How many files and connections it has open; NaN where the system does not tell. */
  openFiles(): Promise<number>
  /** One for each person. */
  cookies: string[]
  /**
   * What it used while this ran. To look at its memory costs it some of its time: a second in a hundred at 5 ms.
   * @param sampleMs how often that is done
   */
  during<A>(run: () => Promise<A>, sampleMs?: number): Promise<Usage & { result: A; ms: number }>
  stop(): Promise<void>
}

export interface UpstreamProcess {
  url: string
  /** So many events to every watch that is open. */
  tell(count: number): Promise<void>
  /** So many events in a second to one watch after the other, for so long; answers how many that were. */
  tellSteadily(perSecond: number, forMs: number): Promise<number>
  stop(): Promise<void>
}

export async function startGateway(upstreamUrl: string, people = 1): Promise<GatewayProcess> {
  const child = start('./gateway-process.ts', [upstreamUrl, String(people)])
  // What it sends is told by gateway-process.ts.
  const ready = (await answerOf(child)) as { url: string; cookies: string[] }
  return {
    ...ready,
    openFiles: () =>
      readdir(`/proc/${child.pid}/fd`).then(
        ({ length }) => length,
        () => NaN,
      ),
    async during(run, sampleMs = 5) {
      child.send({ sampleMs })
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
    async tellSteadily(perSecond, forMs) {
      child.send({ steadily: [perSecond, forMs] })
      const { told } = (await answerOf(child)) as { told: number }
      return told
    },
    stop: () => stop(child),
  }
}

/** What one process of watchers has seen, apart for each of its urls. */
export interface Watched {
  events: number
  /** Their versions were not the next ones: something was lost, doubled or out of order. */
  wrong: number
  /** Ended before they were told to. */
  ended: number
  /** From the upstream's hand to this one's, in ms. */
  p50: number
  p99: number
}

export interface WatchersProcess {
  /** Since it was asked last, once so many events have come, or none for ten seconds. */
  seen(events: number): Promise<Watched[]>
  stop(): Promise<void>
}

export interface Watching {
  url: string
  count: number
  origin?: string
  cookies?: string[]
}

/** Watches in a process of their own, open when this resolves. */
export async function startWatchers(all: Watching[]): Promise<WatchersProcess> {
  const child = start('./watchers-process.ts', [])
  child.send({ all })
  await answerOf(child)
  return {
    async seen(events) {
      child.send({ seen: events })
      return (await answerOf(child)) as Watched[]
    },
    stop: () => stop(child),
  }
}

function start(file: string, args: string[]): ChildProcess {
  // Set BENCH_PROFILE to a folder to find there where the time went.
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

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const died = () => ended.abort(new Error('a process of the bench ended'))
  child.once('exit', died)
  const [message] = (await once(child, 'message', { signal: ended.signal })) as unknown[]
  child.off('exit', died)
  return message
}
