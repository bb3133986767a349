import { Agent, request, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface Fetched {
  bytes: number
  body?: Buffer
}

/** A client with keep-alive connections. It counts the bytes of bodies and returns a body only on request. */
export function createClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    get: (url: string, headers: Record<string, string> = {}, returnsBody = false): Promise<Fetched> =>
      new Promise((resolve, reject) => {
        const outgoing = request(url, { agent, headers }, (incoming: IncomingMessage) => {
          const chunks: Buffer[] = []
          let bytes = 0
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (returnsBody) chunks.push(chunk)
          })
          incoming.on('error', reject)
          incoming.on('end', () => {
            if (incoming.statusCode !== 200) reject(new Error(`${url}: ${incoming.statusCode}`))
            else resolve({ bytes, ...(returnsBody && { body: Buffer.concat(chunks) }) })
          })
        })
        outgoing.on('error', reject)
        outgoing.end()
      }),
    close: () => agent.destroy(),
  }
}

/** Durations of calls in milliseconds, with this many concurrent calls for the given time. */
export async function load(lanes: number, forMs: number, call: (lane: number) => Promise<unknown>): Promise<number[]> {
  const endMs = performance.now() + forMs
  const durations: number[] = []
  const work = async (lane: number) => {
    for (let startedMs = performance.now(); startedMs < endMs;) {
      await call(lane)
      const now = performance.now()
      durations.push(now - startedMs)
      startedMs = now
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))
  return durations
}

/**
 * Durations of calls in milliseconds, started at this rate whether or not earlier ones have completed: a slow response
 * delays no other call, and so hides none.
 */
export async function loadAtRate(
  perSecond: number,
  forMs: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const startedMs = performance.now()
  const durations: Promise<number>[] = []
  for (let passedMs = 0; passedMs < forMs; passedMs = performance.now() - startedMs) {
    while (durations.length < (passedMs / 1000) * perSecond) {
      const sentMs = performance.now()
      durations.push(call(durations.length).then(() => performance.now() - sentMs))
    }
    await setTimeout(1)
  }
  return Promise.all(durations)
}

/** Nearest-rank percentile. */
export function percentile(values: readonly number[], percent: number): number {
  const ascending = values.toSorted((a, b) => a - b)
  return ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)] ?? NaN
}

export const median = (values: readonly number[]): number => percentile(values, 50)

export interface Watchers {
  /** Resolves when each has received this many more events. */
  received(count: number): Promise<void>
  /** Bytes on the wire for all watchers. */
  bytes(): number
  close(): void
}

export async function openWatchers(
  url: string,
  origin: string,
  cookies: readonly string[],
  count: number,
  perMessageDeflate: boolean,
): Promise<Watchers> {
  const connections: Duplex[] = []
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const headers = { cookie: cookies[index % cookies.length] ?? '', origin }
      const socket = new WebSocket(url, { headers, perMessageDeflate })
      return new Promise<WebSocket>((resolve, reject) => {
        socket.on('upgrade', (response: IncomingMessage) => connections.push(response.socket))
        socket.once('open', () => resolve(socket))
        socket.once('error', reject)
      })
    }),
  )
  return {
    async received(expected) {
      await Promise.all(
        sockets.map(
          (socket) =>
            new Promise<void>((resolve) => {
              let seen = 0
              const onMessage = () => {
                if (++seen < expected) return
                socket.off('message', onMessage)
                resolve()
              }
              socket.on('message', onMessage)
            }),
        ),
      )
    },
    // Only TCP connections are opened here.
    bytes: () => connections.reduce((sum, socket) => sum + (socket as Duplex & { bytesRead: number }).bytesRead, 0),
    close: () => sockets.forEach((socket) => socket.terminate()),
  }
}
