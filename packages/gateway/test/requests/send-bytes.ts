import { connect } from 'node:net'
import type { IncomingMessage } from 'node:http'

export interface RawResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** Sends bytes that no client library would send, and returns the first response; status 0 for none. */
export async function sendBytes({ hostname, port }: URL, bytes: string): Promise<RawResponse> {
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(bytes, 'latin1')
  // A server that waits for the rest of a request does not respond.
  const patience = setTimeout(() => socket.destroy(), 1_500)
  await new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()))
  clearTimeout(patience)
  const answer = Buffer.concat(chunks).toString()
  const end = answer.indexOf('\r\n\r\n')
  const [line = '', ...rest] = answer.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    rest.map((each) => [each.split(':', 1)[0]?.toLowerCase(), each.replace(/^[^:]*: */, '')]),
  )
  const body = answer.slice(end + 4)
  // Every second line is the size of the next.
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const whole = isChunked ? body.split('\r\n').filter((_, index) => index % 2 === 1) : [body]
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: whole.join('') }
}
