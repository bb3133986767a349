import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import type { PerMessageDeflateOptions } from 'ws'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Target } from '../target'
import type { HeaderSet } from './headers'

type Encoding = 'br' | 'gzip'

/** Below this a compressed answer saves no packet. */
export const minCompressedBytes = 1024
const compressible = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|yaml)\b)/i

/**
 * Secrets are not compressed: beside text that somebody else chose, the length alone would tell of their content to
 * whoever listens (BREACH).
 */
export const isSecret = ({ segments }: Pick<Target, 'segments'>): boolean => segments.includes('secrets')

/** What is to be done with an answer's head and body on their way to a browser. */
export interface Compression {
  headers: HeaderSet
  steps: Transform[]
}

/**
 * How an answer is compressed, if it is worth it and not done already.
 * @param headers those that the browser would get
 * @param acceptEncoding what it can read
 * @param isLive whether each chunk is to leave at once, as an event or a line of a log does
 */
export function compressionOf(
  statusCode: number,
  headers: HeaderSet,
  acceptEncoding: string | undefined,
  isLive: boolean,
): Compression {
  const type = String(headers['content-type'] ?? '')
  const hasBody = statusCode !== 204 && statusCode !== 304
  if (!hasBody || !compressible.test(type) || headers['content-encoding'] !== undefined) return { headers, steps: [] }
  const varied: HeaderSet = { ...headers, vary: 'Accept-Encoding' }
  const bytes = Number(headers['content-length'] ?? Infinity)
  const encoding = acceptedEncoding(acceptEncoding, isLive)
  if (bytes < minCompressedBytes || !encoding) return { headers: varied, steps: [] }
  const { 'content-length': _length, etag, ...others } = varied
  return {
    headers: { ...others, 'content-encoding': encoding, ...(etag !== undefined && { etag: weak(String(etag)) }) },
    steps: [compressor(encoding, isLive)],
  }
}

/** What the upstream is asked for instead: it need not compress what is looked into here, or compressed anew. */
export function unencoded(headers: IncomingHttpHeaders): HeaderSet {
  const version = headers['if-none-match']
  return {
    'accept-encoding': 'identity',
    // A tag that was weakened below; If-None-Match compares weakly, but upstreams compare text.
    ...(version !== undefined && { 'if-none-match': version.replaceAll('W/"', '"') }),
  }
}

/** The bytes are no longer those that a strong tag stood for. */
const weak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

/** The encoding that a client likes best, with the one that costs less first. Source: RFC 9110, section 12.5.3. */
export function acceptedEncoding(accept: string | undefined, isLive: boolean): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const item of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const q = parameters.find((each) => each.startsWith('q='))?.slice(2)
    const weight = q === undefined ? 1 : Number(q)
    // A weight that is none refuses: an answer as it is suits everybody.
    if (name !== '') weights.set(name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0
  // A live answer holds its compressor for hours, and gzip's is a third of the size.
  const [first, second]: [Encoding, Encoding] = isLive ? ['gzip', 'br'] : ['br', 'gzip']
  const best = weightOf(first) >= weightOf(second) ? first : second
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

/**
 * Of websockets to browsers, made for events that tell the same object again and again: with what was sent before at
 * hand they shrink to a hundredth. Each costs some 200 kB from its first large event on, with or without that; idle ones
 * cost nothing.
 */
export const socketCompression: PerMessageDeflateOptions = {
  // What browsers send is little: nothing is kept for it.
  clientNoContextTakeover: true,
  zlibDeflateOptions: { level: 6, memLevel: 6, chunkSize: 4096 },
}

/** Places for the compressors of websockets, which hold some 300 kB each once they were taken. */
export interface Semaphore {
  /** @returns what gives the place back, or nothing when none is left */
  acquire(): (() => void) | undefined
}

export function createSemaphore(limit: number): Semaphore {
  let taken = 0
  return {
    acquire() {
      if (taken >= limit) return undefined
      taken++
      return () => void taken--
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
