import { request as requestHttp } from 'node:http'
import { request as requestTls } from 'node:https'
import { type Client, type Endpoint } from './load'
import { aRun, runsPath } from './objects'

export interface Watchers {
  /** Resolves when every watcher has seen `count` events, with the time of the last one; rejects if a watch ends. */
  all(events: number): Promise<number>
  /** Events that were missing or out of order. */
  gaps(): number
  /** When the last watcher received the event with this number. */
  seenMs(number: number): number
  close(): void
}

const newline = 0x0a
/** Length of a line's head: a real server writes annotations before the labels, which contain the number. */
const headLength = 600

/** Opens watches of one path, each on its own connection. The object of each event has its number as a label. */
export async function openWatchers({ url, token, ca }: Endpoint, path: string, count: number): Promise<Watchers> {
  const request = ca ? requestTls : requestHttp
  const closes: (() => void)[] = []
  const seen = new Map<number, number>()
  let gaps = 0
  let received = 0
  let awaited = Infinity
  let finish: (lastMs: number) => void = () => undefined
  let fail: (error: Error) => void = () => undefined

  const open = () =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request(new URL(path, url), { agent: false, ca, headers: { authorization: `Bearer ${token}` } })
      let expected = 0
      let isLineStart = true
      let head = ''
      closes.push(() => outgoing.destroy())
      outgoing.on('error', reject)
      outgoing.on('response', (incoming) => {
        incoming.on('error', () => undefined)
        incoming.on('end', () => fail(new Error('a watch has ended')))
        incoming.on('data', (chunk: Buffer) => {
          // The number is near the start of each line; the rest is skipped.
          for (let at = 0; at < chunk.length;) {
            const end = chunk.indexOf(newline, at)
            const stop = end < 0 ? chunk.length : end
            if (isLineStart) head = ''
            if (head.length < headLength) head += chunk.toString('latin1', at, Math.min(stop, at + headLength))
            isLineStart = end >= 0
            if (isLineStart) {
              const number = Number(/"bench.test\/number":"(\d+)"/.exec(head)?.[1])
              if (number !== expected) gaps++
              expected = number + 1
              const nowMs = performance.now()
              seen.set(number, nowMs)
              if (++received === awaited) finish(nowMs)
            }
            at = stop + 1
          }
        })
        resolve()
      })
      outgoing.end()
    })
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, open))
  }
  return {
    all: (events) =>
      new Promise((resolve, reject) => {
        awaited = events * count
        finish = resolve
        fail = reject
        if (received >= awaited) resolve(performance.now())
      }),
    gaps: () => gaps,
    seenMs: (number) => seen.get(number) ?? NaN,
    close() {
      fail = () => undefined
      for (const close of closes) close()
    },
  }
}

export interface Deliveries {
  /** From the first write to its last delivery. */
  allMs: number
  /** From the response to the last write to its last delivery. */
  lastMs: number
  /** Response time of each write, ascending. */
  responseTimes: number[]
  /** For each event, from the response to its write until the last watcher received it, ascending. */
  lags: number[]
  /** The same, from the time when the write was sent. */
  wholes: number[]
}

/** Creates objects with one client, at a rate or as fast as possible, until every watcher has seen them. */
export async function deliver(
  client: Client,
  watchers: Watchers,
  { from, count, perSecond = Infinity }: { from: number; count: number; perSecond?: number },
): Promise<Deliveries> {
  const done = watchers.all(from + count)
  // Reports a watch that ends while events are still being written.
  done.catch(() => undefined)
  const respondedMs: number[] = []
  const responseTimes: number[] = []
  const sent: number[] = []
  const startMs = performance.now()
  for (let index = 0; index < count; index++) {
    const early = startMs + (index * 1000) / perSecond - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const sentMs = performance.now()
    sent.push(sentMs)
    await client.send('POST', runsPath, aRun(`event-${from + index}`, from + index))
    respondedMs.push(performance.now())
    responseTimes.push(performance.now() - sentMs)
  }
  const endMs = await done
  const untilSeen = (fromMs: number[]) =>
    fromMs.map((ms, index) => Math.max(0, watchers.seenMs(from + index) - ms)).sort((a, b) => a - b)
  return {
    allMs: endMs - startMs,
    lastMs: Math.max(0, endMs - (respondedMs.at(-1) ?? endMs)),
    responseTimes: responseTimes.sort((a, b) => a - b),
    lags: untilSeen(respondedMs),
    wholes: untilSeen(sent),
  }
}
