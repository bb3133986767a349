import { createKubeClient, isSessionEnd, type KubeClient } from '@slipway/kube/client'
import { basePath } from '../lib/base-path'
import { observeServerDate } from '../lib/server-clock'
import { createEmitter } from '../lib/store'
import { offlineSince, markOnline } from './live/connectivity'
import { takePreloaded } from './preloaded-responses'
import { isIdle } from './live/idle'
import { isFromUnreachable, onRecovery, slowMs, suspectOutage } from './live/outage'
import { withConsoleHeaders } from './console-headers'
import { batchReviews, isReview } from './access/access-review-batch'
import { readsOfEach } from './served-types'
import { sessionState } from './session/session-state'

/** What `openSocket` must return: the part of a browser's WebSocket that watches and views use. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onerror' | 'onclose' | 'send' | 'close'>

export interface ApiSettings {
  /** Prefix of `/api/k8s`, `/oauth2` and `/wss`: by default the path of this console at the page's own origin. */
  baseUrl: string
  fetch: typeof fetch
  openSocket: (url: string, protocol: string | string[]) => Socket
  /** Leaves the application for another page of the gateway. */
  navigate: (url: string) => void
}

const settings: ApiSettings = {
  baseUrl: basePath,
  // Looked up per call, so that a tracer may replace the global.
  fetch: (input, init) => globalThis.fetch(input, init),
  openSocket: (url, protocol) => new WebSocket(url, protocol),
  navigate: (url) => globalThis.location.replace(url),
}

/** Replaces how the console reaches the outside world. Call it before anything is sent. */
export function configureApi(overrides: Partial<ApiSettings>): void {
  Object.assign(settings, overrides)
  // What batching has learned applies to another gateway.
  sendReview = batchReviews(sendOnce)
}

export const navigate = (url: string): void => settings.navigate(url)

export type Refusal = { kind: 'session-end' } | { kind: 'forbidden'; path: string }
const refusals = createEmitter<[Refusal]>()

/** Calls back for each response that is about the user rather than the request. Returns an unsubscribe function. */
export const onRefusal = refusals.subscribe

const sendOnce = (path: string, init: RequestInit) => settings.fetch(`${settings.baseUrl}${path}`, init)
let sendReview = batchReviews(sendOnce)

/** Shows the console with the rights of another role (`access/role-lens.ts`). */
export interface Lens {
  /** Such as `Contributor`. */
  role: string
  /** Whether the user has all rights of the role. */
  isExact: boolean
  /** The response to a request that is not sent. */
  refusalOf: (path: string, init?: RequestInit) => Response | undefined
  /** Whether a list of this kind of views has to be denied. */
  deniesView: (kind: string, namespaces: readonly string[]) => boolean
}

export let lens: Lens | undefined
export const setLens = (next: Lens | undefined): void => void (lens = next)

/** Every request of the console goes through here. Once the session is over, only those about the session are sent. */
export const send: typeof fetch = async (input, init) => {
  const path = String(input)
  if (isSessionOver() && !path.startsWith('/oauth2/')) return sessionEndResponse()
  const refusal = lens?.refusalOf(path, init)
  if (refusal) return refusal
  const lostAt = offlineSince()
  const preloaded = takePreloaded(path, init)
  const sentMs = preloaded ? performance.timeOrigin : Date.now()
  const call = preloaded ?? (isReview(path, init) ? sendReview : sendOnce)(path, withConsoleHeaders(init))
  const answer = await monitored(path, call, init?.signal)
  // The gateway's clock may differ from that of the cluster.
  if (path.startsWith('/api/k8s/api')) observeServerDate(answer.headers.get('date'), sentMs)
  markOnline(lostAt)
  // A failing plugin says nothing about the cluster.
  if (isFromUnreachable(answer.status) && !path.startsWith('/api/k8s/plugins/')) suspectOutage()
  // An oauth2-proxy in the gateway's place does not mark its 401 as the end of the session, but can mean nothing else.
  const response = answer.status === 401 && path === '/oauth2/userinfo' ? sessionEndResponse() : answer
  if (isSessionEnd(response)) refusals.emit({ kind: 'session-end' })
  else if (response.status === 403) refusals.emit({ kind: 'forbidden', path })
  return response
}

type Signal = AbortSignal | null | undefined

/** Returns the same response, and reports a failure or a long wait as a sign of an outage. */
async function monitored(path: string, pending: Promise<Response>, signal: Signal): Promise<Response> {
  const timer = setTimeout(suspectOutage, slowMs)
  try {
    const response = await pending
    if (!response.ok) noteFailure(path, response)
    return response
  } catch (error) {
    // A call that its caller cancels is not a sign of trouble; one that times out is.
    if (!signal?.aborted || (signal.reason as Error | undefined)?.name === 'TimeoutError') {
      noteFailure(path)
      suspectOutage()
    }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A request without a successful response, for a report of a problem. */
export interface FailedRequest {
  /** With its query. */
  path: string
  /** 0 without a response. */
  code: number
  /** What finds it in the gateway's log. */
  requestId: string | null | undefined
  atMs: number
}

/** The newest first. */
export const failedRequests: FailedRequest[] = []

function noteFailure(path: string, response?: Response): void {
  failedRequests.unshift({
    path,
    code: response?.status ?? 0,
    requestId: response?.headers.get('x-request-id'),
    atMs: Date.now(),
  })
  failedRequests.splice(20)
}

const isSessionOver = () => sessionState() !== 'active'

/** What the gateway would respond, without a request. */
const sessionEndResponse = () => Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })

/** Reads that get no response are resent soon, unless the tab is idle. */
const common = { fetch: send, probeUrl: '/health', mayProbe: () => !isIdle() }

/** The cluster as it is: its caller has to name the group that serves a kind. */
export const cluster: KubeClient = createKubeClient({ baseUrl: '/api/k8s', ...common })

/** The cluster, as the signed-in user. Kinds are read from every group that serves them; `sendWrite` finds it for writes. */
export const client = { ...cluster, ...readsOfEach(cluster) }

/** The gateway's own endpoints, with the errors and the timeout of cluster calls. */
export const gateway: Pick<KubeClient, 'request' | 'resendSilentReads'> = createKubeClient({ baseUrl: '', ...common })

/** Resends every read that is waiting for a response, which may have been lost on the way. */
export function resendSilentReads(): void {
  client.resendSilentReads()
  gateway.resendSilentReads()
}
onRecovery(resendSilentReads)

/**
 * @param path of the API, with its query: `/api/v1/namespaces/a/configmaps?watch=true`
 * @param protocol that of the cluster by default; plugins have none: `[]`
 */
export function openWatchSocket(path: string, protocol: string | string[] = 'base64.binary.k8s.io'): Socket {
  if (isSessionOver() || lens?.refusalOf(`/api/k8s${path}`)) return endedSocket()
  const base = new URL(`${settings.baseUrl}/wss/k8s`, globalThis.location.href)
  return settings.openSocket(`${base.href.replace('http', 'ws')}${path}`, protocol)
}

function endedSocket(): Socket {
  const socket: Socket = { onopen: null, onmessage: null, onerror: null, onclose: null, send() {}, close() {} }
  // The handler's type requires a WebSocket as `this`, which none of our handlers use.
  setTimeout(() => socket.onclose?.call(socket as WebSocket, new CloseEvent('close', { code: 1008 })))
  return socket
}
