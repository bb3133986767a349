import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { PerMessageDeflateOptions } from 'ws'
import type { HeaderSet } from '@slipway/connect/service'

type Encoding = 'br' | 'gzip'

/** Compressing a smaller response does not save a packet. */
export const minCompressedBytes = 1024
const compressible = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|yaml)\b)/i

/** How to change the head and body of a response on their way to a browser. */
export interface Compression {
  headers: HeaderSet
  steps: Transform[]
}

/**
 * Chooses how to compress a response, if it is worthwhile and not done already.
 * @param headers those that the browser would get
 * @param acceptEncoding the encodings that it accepts
 * @param isLive whether to send each chunk at once, like an event or a log line
 */
export function chooseCompression(
  statusCode: number,
  headers: HeaderSet,
  acceptEncoding: string | undefined,
  isLive: boolean,
): Compression {
  const type = String(headers['content-type'] ?? '')
  const hasBody = statusCode !== 204 && statusCode !== 304
  if (!hasBody || !compressible.test(type) || headers['content-encoding'] !== undefined) return { headers, steps: [] }
  const withVary: HeaderSet = { ...headers, vary: 'Accept-Encoding' }
  const bytes = Number(headers['content-length'] ?? Infinity)
  const encoding = acceptedEncoding(acceptEncoding, isLive)
  if (bytes < minCompressedBytes || !encoding) return { headers: withVary, steps: [] }
  const { 'content-length': _length, etag, ...others } = withVary
  return {
    headers: { ...others, 'content-encoding': encoding, ...(etag !== undefined && { etag: toWeakTag(String(etag)) }) },
    steps: [compressor(encoding, isLive)],
  }
}

/** Request headers for an uncompressed response, since the gateway filters it or compresses it itself. */
export function uncompressedRequestHeaders(headers: IncomingHttpHeaders): HeaderSet {
  const version = headers['if-none-match']
  return {
    'accept-encoding': 'identity',
    // The tag was made weak below; If-None-Match compares weakly, but upstreams compare text.
    ...(version !== undefined && { 'if-none-match': version.replaceAll('W/"', '"') }),
  }
}

/** A strong tag would promise identical bytes. */
const toWeakTag = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

/** The encoding that the client prefers; the cheaper one if it has no preference. Source: RFC 9110, section 12.5.3. */
export function acceptedEncoding(accept: string | undefined, isLive: boolean): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const item of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const q = parameters.find((each) => each.startsWith('q='))?.slice(2)
    const weight = q === undefined ? 1 : Number(q)
    // An invalid weight excludes the encoding: every client can read an uncompressed response.
    if (name !== '') weights.set(name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0
  // A live response holds its compressor for hours, and gzip's is a third of the size.
  const [first, second]: [Encoding, Encoding] = isLive ? ['gzip', 'br'] : ['br', 'gzip']
  const best = weightOf(first) >= weightOf(second) ? first : second
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

/**
 * Compression of websockets to browsers, tuned for events that repeat the same object: with the context of earlier
 * events they shrink to a hundredth. Each compressor costs about 200 kB from its first large event on, with or without
 * context; idle websockets cost nothing.
 */
export const socketCompression: PerMessageDeflateOptions = {
  // Browsers send little, so no context is kept for it.
  clientNoContextTakeover: true,
  zlibDeflateOptions: { level: 6, memLevel: 6, chunkSize: 4096 },
}

/** Limits the number of websocket compressors, which take about 300 kB each once in use. */
export interface Semaphore {
  /** @returns a function that releases the slot, or `undefined` if none is free */
  acquire(): (() => void) | undefined
}

export function createSemaphore(limit: number): Semaphore {
  let acquired = 0
  return {
    acquire() {
      if (acquired >= limit) return undefined
      acquired++
      return () => void acquired--
    },
  }
}

function compressor(encoding: Encoding, isLive: boolean): Transform {
  const { BROTLI_OPERATION_FLUSH, BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, Z_SYNC_FLUSH } = constants
  if (encoding === 'gzip') return createGzip({ level: 4, ...(isLive && { flush: Z_SYNC_FLUSH, chunkSize: 4096 }) })
  const [quality, window] = isLive ? [3, 16] : [4, 18]
  return createBrotliCompress({
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: window },
    ...(isLive && { flush: BROTLI_OPERATION_FLUSH }),
  })
}
