import { systemClock, type Clock } from '../clock'
import { selfSubjectAccessReviewType, selfSubjectRulesReviewType } from '../core-types'
import { parseJson } from '../parse'
import { resourcePath } from '../path'
import { createResendingReads } from '../resend'
import { ApiError, failureMessage, isStatus } from '../status'

export interface KubeClientOptions {
  /**
   * What precedes `/api` and `/apis`, without a trailing slash: `http://127.0.0.1:8090`, `/api/k8s`, or
   * `/api/k8s/plugins/kubearchive` for a plugin.
   */
  baseUrl: string
  fetch?: typeof fetch
  /** Sent with every request, such as `{ authorization: 'Bearer …' }`. */
  headers?: Record<string, string>
  /** A call without a response fails after this time; 60 000 by default. Use `Infinity` for a server in the same process. */
  timeoutMs?: number
  /**
   * URL of a small resource on the same server. With it, a read that receives nothing is resent as soon as the server
   * can be reached (`resend.ts`); without it, such a read waits for its time-out.
   */
  probeUrl?: string
  /** While this returns false, a silent read waits for its time-out. Called before every probe. */
  mayProbe?(): boolean
  clock?: Clock
}

/** Calls to any path of an API. Every method rejects with `ApiError`, or with the reason of the caller's own signal. */
export interface Requests {
  /** Requests any other API path that returns JSON. */
  request<A = unknown>(path: string, init?: RequestInit): Promise<A>
  /** Requests a path that returns text, such as the log of a pod. */
  text(path: string, init?: RequestInit): Promise<string>
  /** Like `text`, as a stream of any duration: the time-out applies only to the start of the response. */
  stream(path: string, init?: RequestInit): Promise<ReadableStream<Uint8Array>>
  /** With a `probeUrl`: resends every read that has received nothing for a while. Writes are never repeated. */
  resendSilentReads(): void
}

/** What reads and writes are made of. */
export interface Transport extends Requests {
  baseUrl: string
  /** Sends a request with the client's headers, without a time-out. Rejects as `fetch` does. */
  open(url: string, init: RequestInit): Promise<Response>
}

export function createTransport(options: KubeClientOptions): Transport {
  const { baseUrl, headers = {}, timeoutMs = 60_000, probeUrl, mayProbe, clock = systemClock } = options
  const limit = { timeoutMs, clock }
  // Looked up per call, so that a test or a tracer may replace the global.
  const send: typeof fetch = (...call) => (options.fetch ?? globalThis.fetch)(...call)
  const reads =
    probeUrl === undefined
      ? undefined
      : createResendingReads({
          probe: async (signal) => (await send(probeUrl, { signal })).text(),
          mayProbe,
          clock,
        })

  const open = (url: string, init: RequestInit) =>
    send(url, {
      ...init,
      headers: { accept: 'application/json', ...headers, ...(init.headers as Record<string, string> | undefined) },
    })

  const exchange = (path: string, init: RequestInit = {}) => {
    const url = `${baseUrl}${path}`
    return withTimeout(url, limit, init.signal, (signal) => {
      if (!reads || !isRead(path, init)) return fetchText(url, init, signal)
      return reads.run((each, onData) => fetchText(url, init, each, onData), signal)
    })
  }

  async function fetchText(url: string, init: RequestInit, signal: AbortSignal, onData?: () => void) {
    const response = await open(url, { ...init, signal })
    onData?.()
    return { url, response, text: onData ? await readText(response, onData) : await response.text() }
  }

  async function request<A>(path: string, init?: RequestInit): Promise<A> {
    const { response, text, url } = await exchange(path, init)
    return parseResponse<A>(response, text, url)
  }

  async function text(path: string, init?: RequestInit): Promise<string> {
    const headers = { accept: '*/*', ...(init?.headers as Record<string, string> | undefined) }
    const { response, text, url } = await exchange(path, { ...init, headers })
    return response.ok ? text : parseResponse<never>(response, text, url)
  }

  async function stream(path: string, init: RequestInit = {}): Promise<ReadableStream<Uint8Array>> {
    const headers = { accept: '*/*', ...(init.headers as Record<string, string> | undefined) }
    const combine = (signal: AbortSignal) => (init.signal ? AbortSignal.any([init.signal, signal]) : signal)
    const url = `${baseUrl}${path}`
    const response = await withTimeout(url, limit, init.signal, (signal) =>
      open(url, { ...init, headers, signal: combine(signal) }),
    )
    if (response.ok) return response.body ?? new Blob().stream()
    return parseResponse<never>(response, await withTimeout(url, limit, init.signal, () => response.text()), url)
  }

  return { baseUrl, open, request, text, stream, resendSilentReads: () => reads?.sendAgain() }
}

/** Whether this is a 401 from the gateway itself rather than from an upstream. */
export const isSessionEnd = (response: Response): boolean =>
  response.status === 401 && response.headers.get('www-authenticate') === 'Session'

/** Reviews use POST but change nothing. */
const reviewPaths: readonly string[] = [selfSubjectAccessReviewType, selfSubjectRulesReviewType].map((type) =>
  resourcePath(type),
)

/** Whether a call can safely be sent twice. */
const isRead = (path: string, { method = 'GET' }: RequestInit): boolean =>
  method === 'GET' || (method === 'POST' && reviewPaths.includes(path))

/**
 * Settles in time even if the work never does: a request can get lost in a way that its own signal does not end.
 * @throws ApiError, or the reason of the caller's signal
 */
function withTimeout<A>(
  url: string,
  { timeoutMs, clock }: { timeoutMs: number; clock: Clock },
  callerSignal: AbortSignal | null | undefined,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<A> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController()
    const end = (error: unknown) => {
      settle()
      reject(error as Error) // Created here, or the reason of the caller's signal.
      stop.abort(error)
    }
    const aborted = () => end(callerSignal?.reason)
    const timedOut = () => {
      const message = `Call to ${url} timed out after ${timeoutMs}ms.`
      end(new ApiError({ code: 408, reason: 'Timeout', url, message }))
    }
    const cancel = timeoutMs === Infinity ? () => {} : clock.after(timeoutMs, timedOut)
    const settle = () => {
      cancel()
      callerSignal?.removeEventListener('abort', aborted)
    }
    callerSignal?.addEventListener('abort', aborted)
    if (callerSignal?.aborted) return aborted()
    work(stop.signal).then(
      (answer) => {
        settle()
        resolve(answer)
      },
      (cause: unknown) => {
        const detail = cause instanceof Error && cause.message ? cause.message : 'network failure'
        const message = `Call to ${url} failed: ${detail}`
        end(new ApiError({ code: 0, reason: 'NetworkFailure', url, cause, message }))
      },
    )
  })
}

/** Reads the text of a response and reports each chunk as it arrives. */
async function readText({ body }: Response, onData: () => void): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const pieces: string[] = []
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return pieces.join('') + decoder.decode()
    onData()
    pieces.push(decoder.decode(value, { stream: true }))
  }
}

/** @throws ApiError for a failure, a Status other than Success, and a body that is not valid JSON */
function parseResponse<A>(response: Response, text: string, url: string): A {
  const body = parseJson(text)
  const code = response.status
  if (response.ok && isStatus(body) && body.status !== 'Success') {
    throw new ApiError({
      code: body.code ?? code,
      url,
      status: body,
      message: failureMessage(body.code ?? code, '', body),
    })
  }
  if (!response.ok) {
    throw new ApiError({
      code,
      url,
      status: isStatus(body) ? body : undefined,
      message: failureMessage(code, response.statusText, body),
      isSessionEnd: isSessionEnd(response),
      retryAfter: response.headers.get('retry-after'),
      requestId: response.headers.get('x-request-id'),
    })
  }
  if (body === undefined) return failInvalid(url, 'JSON')
  return body as A
}

/** The server reported success but returned something unusable. */
export function failInvalid(url: string, expected: string): never {
  const message = `Call to ${url} returned something that is not ${expected}.`
  throw new ApiError({ code: 200, url, reason: 'InvalidAnswer', message })
}
