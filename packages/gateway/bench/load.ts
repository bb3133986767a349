import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** A client with keep-alive connections, which discards what it reads. */
export function createClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    get: (url: string, headers: Record<string, string> = {}): Promise<void> =>
      new Promise((resolve, reject) => {
        const outgoing = request(url, { agent, headers }, (incoming) => {
          incoming.on('error', reject)
          incoming.on('end', () =>
            incoming.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${incoming.statusCode}`)),
          )
          incoming.resume()
        })
        outgoing.on('error', reject)
        outgoing.end()
      }),
    close: () => agent.destroy(),
  }
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
