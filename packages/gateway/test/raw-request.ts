import { Agent, request, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export interface RawRequest {
  port: number
  method?: string
  /** Sent byte for byte. */
  target: string
  /** Sent unchanged and in this order, including repeated ones. */
  headers: [string, string][]
  body?: string
}

/** Sends a request without normalization by a client library. */
export async function sendRaw({ body, ...head }: RawRequest) {
  const response = await openRaw({ ...head, body })
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

/** The same, but resolves as soon as the response head has arrived. */
export function openRaw({ port, method = 'GET', target, headers, body }: RawRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path: target, headers: headers.flat() }, resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
