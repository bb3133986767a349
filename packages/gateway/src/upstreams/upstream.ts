import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Dispatcher } from 'undici'
import type { Clock } from '@slipway/kube/clock'
import type { HeaderSet } from '../proxy/headers'
import { HttpError } from '../http-error'
import type { Session } from '../session/sessions'
import type { Connection, Credentials, Tls } from './connection'
import { createPools } from './pools'

export interface UpstreamCall {
  method: Dispatcher.HttpMethod
  /** With its query, as the upstream is to see it. */
  path: string
  headers: HeaderSet
  body?: Readable | string
  /** Ends the call, until its body has been read, with the reason it is aborted with; the time limit aborts it too. */
  stop?: AbortController
}

/** One service behind the gateway: the only place that knows its address. */
export interface Upstream {
  readonly name: string
  /** Who the gateway is there. @throws Refusal 502 */
  credentials(): Promise<Credentials>
  /**
   * The answer as soon as its head is there; the body is the caller's to read or to destroy.
   * @throws Refusal 502 or 504, or what a streamed body threw or `stop` was aborted with
   */
  send(call: UpstreamCall): Promise<Dispatcher.ResponseData>
  /** What a `GET` without credentials is answered with; `undefined` when nothing answers within five seconds. */
  statusOf(path: string): Promise<number | undefined>
  /** Where to open a websocket, with what, and the Origin to claim there. @throws Refusal 502 */
  socket(path: string): Promise<{ url: URL; origin: string; tls: Tls }>
  /** The failure to tell a client when an answer must not reach it; `undefined` when it may. */
  refusalFor(statusCode: number): HttpError | undefined
  unreachable(cause: unknown): HttpError
  timedOut(): HttpError
  close(): Promise<void>
}

/** An upstream that is called in the name of the signed-in user. */
export interface UserUpstream extends Upstream {
  /** The headers by which a call is this user's. @throws Refusal 401 for nobody, 502 without credentials */
  headersAs(session: Caller, requestId: string): Promise<HeaderSet>
}

/** Who a call is made for. */
export type Caller = Pick<Session, 'identity'> & { idToken?: string | undefined }

export interface UpstreamParts {
  name: string
  access: Connection
  /** What to answer when the upstream accepts no credentials; by default a 502, since the gateway's are at fault. */
  unauthorized?: () => HttpError
  /** Why it does not respond now, if that is known without a call. */
  unavailable?: (() => string | undefined) | undefined
  firstByteMs: number
  clock: Clock
  log: FastifyBaseLogger
}

/** Calls wait for the first look at a plugin. */
const lookMs = 5_000

export function createUpstream({
  name,
  access,
  unauthorized,
  unavailable,
  firstByteMs,
  clock,
  log,
}: UpstreamParts): Upstream {
  const { url } = access
  const basePath = url.pathname.replace(/\/$/, '')
  const pools = createPools({ name, origin: url.origin, connectMs: firstByteMs, log })

  const timedOut = () => new HttpError(504, `${name} did not answer within ${firstByteMs}ms.`)
  function unreachable(cause: unknown): HttpError {
    const { code, message } = cause as { code?: unknown; message?: unknown }
    log.warn({ upstream: name, code, cause: message }, 'upstream unreachable')
    return new HttpError(502, `${name} cannot be reached.`)
  }
  function refusalFor(statusCode: number): HttpError | undefined {
    if (statusCode === 401) {
      access.refused()
      log.error({ upstream: name }, 'the upstream does not accept the credentials of a call')
      return unauthorized?.() ?? new HttpError(502, `${name} does not accept the gateway's credentials.`)
    }
    // Redirects are not followed: undici does not by itself.
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
      return new HttpError(502, `${name} answered with a redirect, which is not followed.`)
    }
    return undefined
  }

  function assertAvailable(): void {
    const reason = unavailable?.()
    if (reason) throw new HttpError(503, reason, { 'retry-after': '1' })
  }

  async function credentials(): Promise<Credentials> {
    try {
      return await access.credentials()
    } catch (error) {
      if (error instanceof HttpError) throw error
      log.error({ upstream: name, cause: (error as Error).message }, 'no credentials for the upstream')
      throw new HttpError(502, `The gateway has no credentials for ${name}.`)
    }
  }

  /** Runs one exchange under the time limit, and tells the limit from every other end. */
  async function limited<A>(
    // One for all reasons: AbortSignal.any() and a second controller took a tenth of a small call's time.
    stop: AbortController,
    run: (signal: AbortSignal) => Promise<A>,
    limitMs = firstByteMs,
  ): Promise<A> {
    const stopTimer = clock.after(limitMs, () => stop.abort(timedOut()))
    try {
      return await run(stop.signal)
    } catch (error) {
      if (stop.signal.aborted) throw stop.signal.reason
      if (error instanceof HttpError) throw error
      throw unreachable(error)
    } finally {
      stopTimer()
    }
  }

  async function exchange(
    { method, path, headers, body }: UpstreamCall,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    assertAvailable()
    const { tls } = await credentials()
    const answer = await pools.with(tls).request({ method, path: `${basePath}${path}`, headers, body, signal })
    const refusal = refusalFor(answer.statusCode)
    if (refusal) {
      answer.body.on('error', () => {}).destroy()
      throw refusal
    }
    return answer
  }

  return {
    name,
    credentials,
    send: (call) => limited(call.stop ?? new AbortController(), (signal) => exchange(call, signal)),
    async statusOf(path) {
      const headers = { accept: 'application/json' }
      const look = async (signal: AbortSignal) => {
        const { tls } = await access.credentials()
        return pools.with(tls).request({ method: 'GET', path: `${basePath}${path}`, headers, signal })
      }
      try {
        const { statusCode, body } = await limited(new AbortController(), look, Math.min(firstByteMs, lookMs))
        body.on('error', () => {}).destroy()
        return statusCode
      } catch {
        return undefined
      }
    },
    async socket(path) {
      assertAvailable()
      const target = new URL(`${basePath}${path}`, url.origin)
      target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      return { url: target, origin: url.origin, tls: (await credentials()).tls }
    },
    refusalFor,
    unreachable,
    timedOut,
    close: () => pools.close(),
  }
}
