import { request as requestHttp } from 'node:http'
import { request as requestTls } from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
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

/** The label that an event carries; `managedFields` and annotations write the name differently. */
const label = Buffer.from('"bench.test/number":"')
/** Bytes of the label and its number, which may be divided between two reads. */
const labelLength = label.length + 8

/**
 * Opens watches of one path, each on its own connection. The object of each event has its number as a label. Reads the
 * bytes of the connection without parsing HTTP: the client's CPU time is part of every measured latency.
 */
export async function openWatchers({ url, token, ca }: Endpoint, path: string, count: number): Promise<Watchers> {
  const { hostname: host, port, protocol, pathname, search } = new URL(path, url)
  const head = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const closes: (() => void)[] = []
  const seen = new Map<number, number>()
  let gaps = 0
  let received = 0
  let awaited = Infinity
  let finish: (lastMs: number) => void = () => undefined
  let fail: (error: Error) => void = () => undefined

  const open = () =>
    new Promise<void>((resolve, reject) => {
      let expected = 0
      let rest = Buffer.alloc(0)
      const read = (bytes: Buffer) => {
        if (expected === 0 && rest.length === 0) {
          if (!bytes.toString('latin1', 0, 15).startsWith('HTTP/1.1 200')) reject(new Error('the watch was rejected'))
          resolve()
        }
        const chunk = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
        let parsed = 0
        for (let at; (at = chunk.indexOf(label, parsed)) >= 0 && chunk.length - at >= labelLength;) {
          parsed = at + label.length
          const number = parseInt(chunk.toString('latin1', parsed, at + labelLength), 10)
          if (number !== expected) gaps++
          expected = number + 1
          const nowMs = performance.now()
          seen.set(number, nowMs)
          if (++received === awaited) finish(nowMs)
        }
        rest = Buffer.from(chunk.subarray(Math.max(parsed, chunk.length - labelLength)))
      }
      const onread = {
        buffer: Buffer.allocUnsafe(65_536),
        callback: (length: number, buffer: Uint8Array) => {
          read(Buffer.from(buffer.buffer, buffer.byteOffset, length))
          return true
        },
      }
      const options = { host, port: Number(port), onread }
      const socket = protocol === 'https:' ? connectTls({ ...options, ca }) : connect(options)
      closes.push(() => socket.destroy())
      socket.on('error', reject)
      socket.on('close', () => fail(new Error('a watch has ended')))
      socket.write(head)
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

/** Opens watches whose responses are never read. Returns a function that closes them. */
export async function openUnreadWatchers(
  { url, token, ca }: Endpoint,
  path: string,
  count: number,
): Promise<() => void> {
  const target = new URL(path, url)
  const send = target.protocol === 'https:' ? requestTls : requestHttp
  const open = () =>
    new Promise<() => void>((resolve, reject) => {
      const outgoing = send(target, { agent: false, ca, headers: { authorization: `Bearer ${token}` } }, () =>
        resolve(() => outgoing.destroy()),
      )
      outgoing.on('error', reject)
      outgoing.end()
    })
  const closes = await Promise.all(Array.from({ length: count }, open))
  return () => closes.forEach((close) => close())
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
