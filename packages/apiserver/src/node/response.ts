import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { ApiServer } from '../api-server'
import { LineStream, type Lines } from '../http/line-stream'
import { TextResponse } from '../http/text-response'
import { headersOf, type ConnectionLimits } from './http-connection'
import { discardBody, requestOf } from './request'

/** An API server, or anything else that handles requests. */
export type Handler = Pick<ApiServer, 'fetch'>

/** How long to write to watches before yielding to other work. */
const turnMs = 2

/** Answers a request, as fast as the client reads. */
export async function serve(
  server: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { unreadMs }: ConnectionLimits,
  schedule: Schedule,
): Promise<void> {
  const aborted = new AbortController()
  outgoing.on('close', () => aborted.abort())
  try {
    const request = requestOf(incoming, aborted.signal)
    const response = request instanceof Request ? await server.fetch(request) : request
    const content = response instanceof TextResponse ? Buffer.from(response.take()) : undefined
    const headers = headersOf(response)
    outgoing.writeHead(response.status, content ? { ...headers, 'content-length': content.length } : headers)
    if (!incoming.complete) discardBody(incoming)
    if (content) {
      outgoing.end(content)
      return
    }
    if (!response.body) {
      outgoing.end()
      return
    }
    outgoing.flushHeaders()
    if (response.body instanceof LineStream) {
      await sendLines(response.body.lines, outgoing, unreadMs, aborted.signal, schedule)
    } else {
      await pump(response.body, outgoing, unreadMs, aborted.signal)
    }
    outgoing.end()
  } catch (error) {
    // After an abort there is no client left. The server has already reported its own errors.
    if (!aborted.signal.aborted) outgoing.destroy(error instanceof Error ? error : undefined)
  }
}

/** Copies a body to the response, no faster than the client reads. */
async function pump(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  unreadMs: number,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || signal.aborted) return
    if (!outgoing.write(value)) await waitForDrain(outgoing, outgoing, unreadMs, signal)
  }
}

/** Schedules work to run in small batches. */
export type Schedule = (work: () => void) => void

/** Alternates scheduled work with everything else that the process does. */
export function createScheduler(): Schedule {
  const waiting = new Set<() => void>()
  let isDue = false
  function run() {
    const endMs = performance.now() + turnMs
    for (const work of waiting) {
      waiting.delete(work)
      work()
      if (performance.now() > endMs) break
    }
    isDue = waiting.size > 0
    if (isDue) setImmediate(run)
  }
  return (work) => {
    waiting.add(work)
    if (isDue) return
    isDue = true
    setImmediate(run)
  }
}

/**
 * Writes lines when scheduled, no faster than the client reads; resolves at the end. All lines queued by then are
 * written together: the busier the process, the fewer writes there are.
 */
const sendLines = (
  lines: Lines,
  outgoing: ServerResponse,
  unreadMs: number,
  signal: AbortSignal,
  schedule: Schedule,
): Promise<void> =>
  new Promise((resolve) => {
    let isBlocked = false
    const send = () => {
      while (!isBlocked && !signal.aborted) {
        const bytes = lines.take()
        if (!bytes) {
          if (lines.isEnded()) resolve()
          return
        }
        if (bytes.length === 0) {
          schedule(send)
          return
        }
        // Bypass the response, which would frame a shared line again for every watch.
        const socket = outgoing.chunkedEncoding && outgoing.socket?.writable ? outgoing.socket : undefined
        const to: Writable = socket ?? outgoing
        if (socket ? writeChunk(socket, bytes) : outgoing.write(bytes)) continue
        isBlocked = true
        void waitForDrain(to, outgoing, unreadMs, signal).then(() => {
          isBlocked = false
          send()
        })
      }
    }
    lines.follow(() => schedule(send))
    signal.addEventListener('abort', () => resolve())
    schedule(send)
  })

/** Chunks of this size are not copied to be framed. */
const largeChunkBytes = 32 * 1024

/** Writes an HTTP/1.1 chunk. Returns false if the socket is full. */
function writeChunk(socket: Writable, bytes: Uint8Array): boolean {
  if (bytes.length < largeChunkBytes) return socket.write(chunkOf(bytes))
  socket.cork()
  socket.write(`${bytes.length.toString(16)}\r\n`)
  socket.write(bytes)
  const hasRoom = socket.write('\r\n')
  socket.uncork()
  return hasRoom
}

/** The last chunks: the lines themselves are retained for much longer. */
const chunks = new Map<Uint8Array, Buffer>()
const maxChunksBytes = 4 * 1024 * 1024
let chunksBytes = 0

/** An HTTP/1.1 chunk, framed once for all the watches that receive it at about the same time. */
function chunkOf(bytes: Uint8Array): Buffer {
  const known = chunks.get(bytes)
  if (known) return known
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  if (chunksBytes > maxChunksBytes) {
    chunks.clear()
    chunksBytes = 0
  }
  chunks.set(bytes, chunk)
  chunksBytes += chunk.length
  return chunk
}

/** Resolves once the client has read the data. A client that stops reading is cut off, as it ties up memory. */
const waitForDrain = (to: Writable, outgoing: ServerResponse, unreadMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), unreadMs)
    const done = () => {
      clearTimeout(timer)
      to.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    to.on('drain', done)
    signal.addEventListener('abort', done)
  })
