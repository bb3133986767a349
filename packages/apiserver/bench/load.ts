import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as TlsAgent, request as requestTls } from 'node:https'

/** Address and credentials of a server. */
export interface Endpoint {
  url: string
  token: string
  /** The certificate to trust if the server speaks TLS. */
  ca?: string
}

export interface LoadResponse {
  code: number
  bytes: number
  text(): string
}

export interface Client {
  send(method: string, path: string, body?: object): Promise<LoadResponse>
  close(): void
}

/** A client with a pool of persistent connections. */
export function clientOf({ url, token, ca }: Endpoint, connections: number): Client {
  const options = { keepAlive: true, maxSockets: connections }
  const agent = ca ? new TlsAgent({ ...options, ca }) : new HttpAgent(options)
  const request = ca ? requestTls : requestHttp
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
        const outgoing = request(new URL(path, url), { method, agent, headers }, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
            const code = incoming.statusCode ?? 0
            if (code >= 300) reject(new Error(`${method} ${path}: ${code} ${Buffer.concat(chunks).toString()}`))
            else resolve({ code, bytes, text: () => Buffer.concat(chunks).toString() })
          })
        })
        outgoing.on('error', reject)
        outgoing.end(body && JSON.stringify(body))
      }),
    close: () => agent.destroy(),
  }
}

/** Durations of sequential calls without the warm-up, in ascending milliseconds. */
export async function timed(count: number, call: (index: number) => Promise<unknown>): Promise<number[]> {
  const warmUp = Math.ceil(count / 10)
  const durations: number[] = []
  for (let index = 0; index < count + warmUp; index++) {
    const startMs = performance.now()
    await call(index)
    if (index >= warmUp) durations.push(performance.now() - startMs)
  }
  return durations.sort((a, b) => a - b)
}

/** The nearest-rank percentile: always a measured value, never interpolated. */
export const percentile = (ascending: readonly number[], percent: number): number =>
  ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)] ?? NaN
