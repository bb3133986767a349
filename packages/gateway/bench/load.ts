import { Agent, request, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface Fetched {
  bytes: number
  body?: Buffer
}

/** Calls of one client over kept connections; bodies are counted, and kept only when that is asked for. */
export function clientOf(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    get: (url: string, headers: Record<string, string> = {}, isKept = false): Promise<Fetched> =>
      new Promise((resolve, reject) => {
        const outgoing = request(url, { agent, headers }, (incoming: IncomingMessage) => {
          const chunks: Buffer[] = []
          let bytes = 0
          incoming.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (isKept) chunks.push(chunk)
          })
          incoming.on('error', reject)
          incoming.on('end', () => {
            if (incoming.statusCode !== 200) reject(new Error(`${url}: ${incoming.statusCode}`))
            else resolve({ bytes, ...(isKept && { body: Buffer.concat(chunks) }) })
          })
        })
        outgoing.on('error', reject)
        outgoing.end()
      }),
    close: () => agent.destroy(),
  }
}

/** How long each call took, in milliseconds, while so many were under way at a time for so long. */
export async function load(lanes: number, forMs: number, call: (lane: number) => Promise<unknown>): Promise<number[]> {
  const endMs = performance.now() + forMs
  const durations: number[] = []
  const work = async (lane: number) => {
    for (let beganMs = performance.now(); beganMs < endMs;) {
      await call(lane)
      const now = performance.now()
      durations.push(now - beganMs)
      beganMs = now
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))
  return durations
}

/**
 * How long each call took, in milliseconds, when so many began in a second, whether or not those before were answered:
 * a slow answer delays no other call, and so hides none.
 */
export async function loadAtRate(
  perSecond: number,
  forMs: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const beganMs = performance.now()
  const durations: Promise<number>[] = []
  for (let passedMs = 0; passedMs < forMs; passedMs = performance.now() - beganMs) {
    while (durations.length < (passedMs / 1000) * perSecond) {
      const sentMs = performance.now()
      durations.push(call(durations.length).then(() => performance.now() - sentMs))
    }
    await setTimeout(1)
  }
  return Promise.all(durations)
}

/** Nearest rank: the value that so many percent do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const ascending = values.toSorted((a, b) => a - b)
  return ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)] ?? NaN
}

export const median = (values: readonly number[]): number => percentile(values, 50)

export interface Watchers {
  /** Resolves when each has received so many more events. */
  received(count: number): Promise<void>
  /** Over the wire, by all. */
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
    async received(wanted) {
      await Promise.all(
        sockets.map(
          (socket) =>
            new Promise<void>((resolve) => {
              let seen = 0
              const onMessage = () => {
                if (++seen < wanted) return
                socket.off('message', onMessage)
                resolve()
              }
              socket.on('message', onMessage)
            }),
        ),
      )
    },
    // Of TCP: no other kind is connected to here.
    bytes: () => connections.reduce((sum, socket) => sum + (socket as Duplex & { bytesRead: number }).bytesRead, 0),
    close: () => sockets.forEach((socket) => socket.terminate()),
  }
}
