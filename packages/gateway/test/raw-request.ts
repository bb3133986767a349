import { Agent, request, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export interface RawRequest {
  port: number
  method?: string
  /** Sent byte for byte. */
  target: string
  /** Sent as they are, in this order, repeated ones too. */
  headers: [string, string][]
  body?: string
}

/** A request that no client library has tidied up. */
export async function sendRaw({ body, ...head }: RawRequest) {
  const response = await openRaw({ ...head, body })
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

/** The same, as soon as the head of the answer is there. */
export function openRaw({ port, method = 'GET', target, headers, body }: RawRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path: target, headers: headers.flat() }, resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
