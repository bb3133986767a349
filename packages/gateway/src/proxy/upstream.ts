import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { Pool, type Dispatcher } from 'undici'
import type { Clock } from '@slipway/kube/clock'
import type { Settings } from '../config'
import { Refusal } from '../refusal'
import { identityHeaders, type HeaderSet } from './headers'
import type { Identity } from '../session/identity'

export interface UpstreamCall {
  method: Dispatcher.HttpMethod
  /** With its query, as the upstream is to see it. */
  path: string
  headers: HeaderSet
  body?: Readable | string
  signal?: AbortSignal
}

/** The one Kubernetes API behind the gateway: the only place that knows its address and the gateway's token. */
export interface Upstream {
  readonly name: string
  /** The headers by which the gateway acts as this user. */
  headersAs(identity: Identity, requestId: string): HeaderSet
  /**
   * The answer as soon as its head is there; the body is the caller's to read or to destroy.
   * @throws Refusal 502 or 504, or what a streamed body threw or the signal was aborted with
   */
  send(call: UpstreamCall): Promise<Dispatcher.ResponseData>
  /** A call as the gateway itself that answers JSON. @throws Refusal 502 for anything but success */
  asGateway<A>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<A>
  /** Where to open a websocket, and the Origin to claim there. */
  socketUrl(path: string): URL
  readonly origin: string
  /** The failure to tell a client when an answer must not reach it; `undefined` when it may. */
  refusalFor(statusCode: number): Refusal | undefined
  unreachable(cause: unknown): Refusal
  timedOut(): Refusal
  close(): Promise<void>
}

interface UpstreamParts {
  config: Settings['upstream']
  firstByteMs: number
  clock: Clock
  log: FastifyBaseLogger
}

export function createUpstream({ config, firstByteMs, clock, log }: UpstreamParts): Upstream {
  const { name, url, token } = config
  const basePath = url.pathname.replace(/\/$/, '')
  // A stream may be silent for ever; the wait for its head is timed below, to the millisecond. Redirects are not
  // followed: undici does not by itself.
  const pool = new Pool(url.origin, { headersTimeout: 0, bodyTimeout: 0, connectTimeout: firstByteMs })

  const timedOut = () => new Refusal(504, `${name} did not answer within ${firstByteMs}ms.`)
  function unreachable(cause: unknown): Refusal {
    const { code, message } = cause as { code?: unknown; message?: unknown }
    log.warn({ upstream: name, code, cause: message }, 'upstream unreachable')
    return new Refusal(502, `${name} cannot be reached.`)
  }
  function refusalFor(statusCode: number): Refusal | undefined {
    if (statusCode === 401) {
      log.error({ upstream: name }, "the upstream refused the gateway's own token")
      return new Refusal(502, `${name} does not accept the gateway's credentials.`)
    }
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
      return new Refusal(502, `${name} answered with a redirect, which is not followed.`)
    }
    return undefined
  }

  /** Runs one exchange under the time limit, and tells the limit from every other end. */
  async function limited<A>(outer: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<A>): Promise<A> {
    const limit = new AbortController()
    const stopTimer = clock.after(firstByteMs, () => limit.abort())
    try {
      return await run(outer ? AbortSignal.any([outer, limit.signal]) : limit.signal)
    } catch (error) {
      if (limit.signal.aborted) throw timedOut()
      if (outer?.aborted) throw outer.reason
      if (error instanceof Refusal) throw error
      throw unreachable(error)
    } finally {
      stopTimer()
    }
  }

  async function exchange(call: UpstreamCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const answer = await pool.request({ ...call, path: `${basePath}${call.path}`, signal })
    const refusal = refusalFor(answer.statusCode)
    if (refusal) {
      answer.body.on('error', () => {}).destroy()
      throw refusal
    }
    return answer
  }

  return {
    name,
    origin: url.origin,
    headersAs: (identity, requestId) => identityHeaders(identity, token(), requestId),
    send: (call) => limited(call.signal, (signal) => exchange(call, signal)),
    asGateway: <A>(method: 'GET' | 'POST', path: string, body?: unknown) =>
      limited(undefined, async (signal) => {
        const headers: HeaderSet = { authorization: `Bearer ${token()}`, accept: 'application/json' }
        if (body !== undefined) headers['content-type'] = 'application/json'
        const text = body === undefined ? undefined : JSON.stringify(body)
        const answer = await exchange({ method, path, headers, body: text }, signal)
        const json = await answer.body.json().catch((error: unknown) => {
          if (error instanceof SyntaxError) return undefined
          throw error
        })
        if (answer.statusCode >= 400 || json === undefined) {
          log.error({ upstream: name, status: answer.statusCode, path }, 'the upstream failed a call of the gateway')
          throw new Refusal(502, `${name} failed a call of the gateway (${answer.statusCode}).`)
        }
        return json as A
      }),
    socketUrl(path) {
      const target = new URL(`${basePath}${path}`, url.origin)
      target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      return target
    },
    refusalFor,
    unreachable,
    timedOut,
    close: () => pool.destroy(),
  }
}
