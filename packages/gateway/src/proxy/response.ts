import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { projection } from '../field-mask/projection'
import { MalformedJson } from '../field-mask/projector'
import { isWatch, type MaskedRequest } from '../field-mask/request'
import { HttpError } from '../http-error'
import type { Target } from '../target'
import { compressionOf, isSecret } from './compression'
import { headersForBrowser, type HeaderSet } from './headers'

export interface UpstreamResponse {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Readable
}

interface ForwardOptions {
  /** Who answers: for messages. */
  name: string
  target: Target
  masked: MaskedRequest | undefined
}

/**
 * Passes an answer on while it comes: cut down to the fields that were asked for, compressed, and never held.
 * @throws Refusal before anything of it was sent
 */
export async function forwardResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: UpstreamResponse,
  { name, target, masked }: ForwardOptions,
): Promise<FastifyReply> {
  const cut = masked ? cutDown(answer, masked, name) : { headers: headersForBrowser(answer.headers), steps: [] }
  const accepted = isSecret(target) ? undefined : request.headers['accept-encoding']
  const compressed = compressionOf(answer.statusCode, cut.headers, accepted, isLiveTarget(target))
  // Past Fastify, since the head must leave before the first byte of a body: a watch may be silent for long.
  const head = { ...reply.getHeaders(), ...compressed.headers }
  reply.hijack()
  for (const [header, value] of Object.entries(head)) if (value !== undefined) reply.raw.setHeader(header, value)
  reply.raw.writeHead(answer.statusCode)
  // A body whose length is known comes at once, and its head leaves with it in one packet (40 µs less).
  if (head['content-length'] === undefined) reply.raw.flushHeaders()
  try {
    const steps = [...cut.steps, ...compressed.steps]
    // How that ended is seen at its last stream.
    if (steps.length > 0) pipeline([answer.body, ...steps], () => {})
    await forwardBody(steps.at(-1) ?? answer.body, reply.raw)
  } catch (error) {
    // A broken answer must look broken: the connection was cut, and the browser knows.
    const { message } = error as Error
    if (error instanceof MalformedJson) request.log.warn({ upstream: name, cause: message }, 'cut')
    else request.log.debug({ cause: message }, 'cut')
  }
  return reply
}

/**
 * A `pipeline` of the two, without the AbortController and the DOMException that each of those makes and throws away,
 * and its seven listeners of the answer's end, beside which Node takes those of others for a leak: a tenth of a small
 * call's time.
 */
function forwardBody(body: Readable, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = (cause: Error) => {
      body.destroy()
      response.destroy()
      reject(cause)
    }
    body.on('error', cut)
    body.once('close', () => body.readableEnded || cut(new Error('The upstream ended its answer early.')))
    response.on('error', cut)
    response.once('close', () => (response.writableFinished ? resolve() : cut(new Error('The client went away.'))))
    body.pipe(response)
  })
}

/** @throws Refusal 502 for an answer that cannot be looked into */
function cutDown(
  { statusCode, headers, body }: UpstreamResponse,
  { mask, layout }: MaskedRequest,
  name: string,
): { headers: HeaderSet; steps: Transform[] } {
  const forwarded = headersForBrowser(headers)
  const isObject = statusCode >= 200 && statusCode < 300 && /^application\/json\b/i.test(headers['content-type'] ?? '')
  // A failure is told in full.
  if (!isObject) return { headers: forwarded, steps: [] }
  if (/^(?!identity$)/i.test(headers['content-encoding'] ?? 'identity')) {
    body.on('error', () => {}).destroy()
    throw new HttpError(502, `${name} answered in an encoding that it was not asked for.`)
  }
  const { 'content-length': _length, etag: _etag, 'content-encoding': _encoding, ...others } = forwarded
  return { headers: others, steps: [projection(mask, layout)] }
}

/** Whether what comes is wanted when it comes: a watch, or a log that is followed. */
function isLiveTarget({ segments, query }: Target): boolean {
  const asked = new URLSearchParams(query)
  const isOldWatch = segments[segments[0] === 'apis' ? 3 : 2] === 'watch'
  return isOldWatch || isWatch(asked) || /^(?!(?:false|0)$)/i.test(asked.get('follow') ?? 'false')
}
