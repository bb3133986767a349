import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Clock } from '@slipway/kube/clock'
import { HttpError } from './http-error'
import type { Connection, Credentials, Tls } from './connection'
import type { Log } from './log'
import { createPools } from './pools'

export type HeaderSet = Record<string, string | string[]>

/** What a call carries, of whichever kind: its credentials and its TLS options are from one reading. */
export interface Outgoing {
  headers: HeaderSet
  tls: Tls
}

export interface ServiceCall {
  method: Dispatcher.HttpMethod
  /** Path and query for the service. */
  path: string
  outgoing: Outgoing
  body?: Readable | string
  /** Aborts the call, or reading its body, with its reason; the time limit aborts it too. */
  stop?: AbortController
}

/** A service that is called over HTTP. Only this module knows its address. */
export interface Service {
  readonly name: string
  /** The own credentials there. @throws HttpError 502 */
  credentials(): Promise<Credentials>
  /**
   * Resolves with the response as soon as its head has arrived; the caller must read or destroy the body.
   * @throws HttpError 502 or 504, or the error of a streamed body, or the abort reason of `stop`
   */
  send(call: ServiceCall): Promise<Dispatcher.ResponseData>
  /** The status of a `GET` without credentials; `undefined` if there is no response within five seconds. */
  probeStatus(path: string): Promise<number | undefined>
  /** URL and Origin header for opening a websocket. @throws HttpError 503 */
  socket(path: string): { url: URL; origin: string }
  /** The error to send instead of a response that must not reach the client; `undefined` if it may. */
  errorForStatus(statusCode: number): HttpError | undefined
  unreachable(cause: unknown): HttpError
  timedOut(): HttpError
  close(): Promise<void>
}

export interface ServiceParts {
  name: string
  connection: Connection
  /** The error if the service rejects the credentials; by default a 502, since the own ones are wrong. */
  unauthorized?: () => HttpError
  /** Returns why the service is down, if that is known without a call. */
  unavailable?: (() => string | undefined) | undefined
  firstByteMs: number
  clock: Clock
  log: Log
}

/** Short, since calls wait for the first probe of a plugin. */
const probeMs = 5_000

export function createService({
  name,
  connection,
  unauthorized,
  unavailable,
  firstByteMs,
  clock,
  log,
}: ServiceParts): Service {
  const { url } = connection
  const basePath = url.pathname.replace(/\/$/, '')
  const pools = createPools({ name, origin: url.origin, connectMs: firstByteMs, log })

  const timedOut = () => new HttpError(504, `${name} did not respond within ${firstByteMs} ms.`)
  function unreachable(cause: unknown): HttpError {
    const { code, message } = cause as { code?: unknown; message?: unknown }
    log.warn({ upstream: name, code, cause: message }, 'upstream unreachable')
    return new HttpError(502, `${name} cannot be reached.`)
  }
  function refusalFor(statusCode: number): HttpError | undefined {
    if (statusCode === 401) {
      connection.invalidate()
      const error = unauthorized?.() ?? new HttpError(502, `${name} does not accept the configured credentials.`)
      // Only an operator can change a 502; any user can cause the other one.
      if (error.code === 502) log.error({ upstream: name }, 'the upstream rejected the credentials of a call')
      return error
    }
    // undici does not follow redirects by default.
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
      return new HttpError(502, `${name} responded with a redirect, which is not followed.`)
    }
    return undefined
  }

  function assertAvailable(): void {
    const reason = unavailable?.()
    if (reason) throw new HttpError(503, reason, { 'retry-after': '1' })
  }

  async function credentials(): Promise<Credentials> {
    try {
      return await connection.credentials()
    } catch (error) {
      if (error instanceof HttpError) throw error
      log.error({ upstream: name, cause: (error as Error).message }, 'no credentials for the upstream')
      throw new HttpError(502, `There are no credentials for ${name}.`)
    }
  }

  /** Runs an exchange with a time limit and distinguishes a timeout from other failures. */
  async function withTimeLimit<A>(
    // A single controller for all reasons: AbortSignal.any() and a second one took a tenth of a small call's time.
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
    { method, path, outgoing: { headers, tls }, body }: ServiceCall,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    assertAvailable()
    const response = await pools.with(tls).request({ method, path: `${basePath}${path}`, headers, body, signal })
    const error = refusalFor(response.statusCode)
    if (error) {
      response.body.on('error', () => {}).destroy()
      throw error
    }
    return response
  }

  return {
    name,
    credentials,
    send: (call) => withTimeLimit(call.stop ?? new AbortController(), (signal) => exchange(call, signal)),
    async probeStatus(path) {
      const probe = async (signal: AbortSignal) => {
        const { tls } = await credentials()
        const headers = { accept: 'application/json' }
        return pools.with(tls).request({ method: 'GET', path: `${basePath}${path}`, headers, signal })
      }
      try {
        const { statusCode, body } = await withTimeLimit(new AbortController(), probe, Math.min(firstByteMs, probeMs))
        body.on('error', () => {}).destroy()
        return statusCode
      } catch {
        return undefined
      }
    },
    socket(path) {
      assertAvailable()
      const target = new URL(`${basePath}${path}`, url.origin)
      target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      return { url: target, origin: url.origin }
    },
    errorForStatus: refusalFor,
    unreachable,
    timedOut,
    close: () => pools.close(),
  }
}
