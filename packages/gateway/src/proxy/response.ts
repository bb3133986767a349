import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import type { HeaderSet } from '@slipway/connect/service'
import type { Clock } from '@slipway/kube/clock'
import type { ResponseFilter } from '../field-mask/filter'
import { projection } from '../field-mask/projection'
import { MalformedJson } from '../field-mask/projector'
import { whenEnded } from '../when-ended'
import { chooseCompression } from './compression'
import { headersForBrowser } from './headers'
import type { EndableWatch } from './watch-end'

export interface UpstreamResponse {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Readable
}

interface ForwardOptions {
  /** Name of the upstream for messages. */
  name: string
  filter: ResponseFilter | undefined
  /** The last step of a watch, which may end it. */
  watch?: EndableWatch | undefined
  /** How long a client may leave all of the response unread that is ready for it. */
  unreadMs: number
  clock: Clock
}

/**
 * Streams a response to the browser, filtered and compressed, without buffering it.
 * @throws HttpError before anything has been sent
 */
export async function forwardResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: UpstreamResponse,
  { name, filter, watch, unreadMs, clock }: ForwardOptions,
): Promise<FastifyReply> {
  const filtered = filter
    ? applyFilter(response, filter, name)
    : { headers: headersForBrowser(response.headers), steps: [] }
  const accepted = request.headers['accept-encoding']
  const { isStream } = request.parsed.call
  const compressed = chooseCompression(response.statusCode, filtered.headers, accepted, isStream)
  // Bypasses Fastify, since the head must be sent before the first byte of the body: a watch may be silent for long.
  const head = {
    ...reply.getHeaders(),
    ...compressed.headers,
    // nginx, and what is built on it, would hold back small pieces until there are enough of them.
    ...(isStream && { 'x-accel-buffering': 'no' }),
  }
  reply.hijack()
  for (const [header, value] of Object.entries(head)) if (value !== undefined) reply.raw.setHeader(header, value)
  reply.raw.writeHead(response.statusCode)
  // A body of known length follows at once, and its head is sent with it in one packet (40 µs less).
  if (head['content-length'] === undefined) reply.raw.flushHeaders()
  try {
    const steps = [...filtered.steps, ...(watch ? [watch.step] : []), ...compressed.steps]
    // The last stream shows how the pipeline ended.
    if (steps.length > 0) pipeline([response.body, ...steps], () => {})
    const body = steps.at(-1) ?? response.body
    await forwardBody(body, reply.raw, unreadMs, clock)
  } catch (error) {
    // A broken response must look broken: the connection was destroyed, so the browser notices.
    const { message } = error as Error
    if (error instanceof MalformedJson) request.log.warn({ upstream: name, cause: message }, 'cut')
    else request.log.debug({ cause: message }, 'cut')
  }
  return reply
}

/**
 * Ends a response whose client has stopped reading: it holds a call to the upstream, from which the sockets between hide
 * that. A silent watch is not unread, since nothing waits for its client.
 *
 * A `pipeline` of the two streams without its overhead, a tenth of a small call's time: `pipeline` creates and discards
 * an AbortController and a DOMException, and adds seven listeners to the response, so that Node reports a leak when
 * others add theirs.
 */
function forwardBody(body: Readable, response: ServerResponse, unreadMs: number, clock: Clock): Promise<void> {
  let stopTimer = () => {}
  const waitForReader = () => {
    stopTimer()
    stopTimer = clock.after(unreadMs, () => response.destroy(new Error('The client does not read its response.')))
  }
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      body.destroy()
      response.destroy()
      reject(cause)
    }
    body.on('error', fail)
    body.once('close', () => body.readableEnded || fail(new Error('The upstream ended its response early.')))
    response.on('error', fail)
    whenEnded(response, () => {
      // The end of the pipe pauses the body once more, and a timer would keep both for a minute.
      body.off('pause', waitForReader).off('end', waitForReader)
      stopTimer()
      if (response.writableFinished) resolve()
      else fail(new Error('The client disconnected.'))
    })
    // The pipe pauses the body until the client has read what waits for it.
    body.on('pause', waitForReader)
    body.once('end', waitForReader)
    response.on('drain', () => stopTimer())
    body.pipe(response)
  })
}

/** @throws HttpError 502 for a response that cannot be filtered */
function applyFilter(
  { statusCode, headers, body }: UpstreamResponse,
  filter: ResponseFilter,
  name: string,
): { headers: HeaderSet; steps: Transform[] } {
  const forwarded = headersForBrowser(headers)
  const withhold = (reason: string) => {
    body.on('error', () => {}).destroy()
    return new HttpError(502, `${name} responded in ${reason} that was not requested.`)
  }
  // Errors are passed on unfiltered.
  if (statusCode < 200 || statusCode >= 300 || statusCode === 204) return { headers: forwarded, steps: [] }
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    if (filter.hidesValues) throw withhold('a format')
    return { headers: forwarded, steps: [] }
  }
  if (/^(?!identity$)/i.test(headers['content-encoding'] ?? 'identity')) throw withhold('an encoding')
  const { 'content-length': _length, etag: _etag, 'content-encoding': _encoding, ...others } = forwarded
  return { headers: others, steps: filter.createProjectors().map(projection) }
}
