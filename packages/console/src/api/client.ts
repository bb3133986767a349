import { createKubeClient, isSessionEnd, type KubeClient } from '@slipway/kube/client'
import { createEmitter } from '../lib/store'
import { offlineSince, markOnline } from './live/connectivity'
import { takePreloaded } from '../preload/responses'
import { isIdle } from './live/idle'
import { isFromUnreachable, onRecovery, slowMs, suspectOutage } from './live/outage'
import { withConsoleHeaders } from './console-headers'
import { batchReviews, isReview } from './access/access-review-batch'
import { sessionState } from './session/session-state'

/** What `openSocket` must answer: the part of a browser's WebSocket that a watch uses. */
export type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onerror' | 'onclose' | 'close'>

export interface ApiSettings {
  /** What comes before `/api/k8s`, `/oauth2` and `/wss`; empty for the origin of the page. */
  baseUrl: string
  fetch: typeof fetch
  openSocket: (url: string, protocol: string) => Socket
  /** Leaves the application for another page of the gateway. */
  navigate: (url: string) => void
}

const settings: ApiSettings = {
  baseUrl: '',
  // Looked up per call, so that a tracer may replace the global.
  fetch: (input, init) => globalThis.fetch(input, init),
  openSocket: (url, protocol) => new WebSocket(url, protocol),
  navigate: (url) => globalThis.location.replace(url),
}

/** Replaces the ways out of the console; to be called before the first call. */
export function configureApi(overrides: Partial<ApiSettings>): void {
  Object.assign(settings, overrides)
  // What the bundles learnt was about another gateway.
  askReview = batchReviews(go)
}

export const navigate = (url: string): void => settings.navigate(url)

export type Refusal = { kind: 'session-end' } | { kind: 'forbidden'; path: string }
const refusals = createEmitter<[Refusal]>()

/** Hears of every answer that says something about the user rather than about the call. */
export const onRefusal = refusals.subscribe

const go = (path: string, init: RequestInit) => settings.fetch(`${settings.baseUrl}${path}`, init)
let askReview = batchReviews(go)

/** Every call of the console goes through here; once the session is over, none but those about the session goes out. */
export const send: typeof fetch = async (input, init) => {
  const path = String(input)
  if (isSessionOver() && !path.startsWith('/oauth2/')) return nobodyIsSignedIn()
  const lostAt = offlineSince()
  const call = takePreloaded(path, init) ?? (isReview(path, init) ? askReview : go)(path, withConsoleHeaders(init))
  const answer = await noticed(call, init?.signal)
  markOnline(lostAt)
  // A plugin is not the cluster.
  if (isFromUnreachable(answer.status) && !path.startsWith('/api/k8s/plugins/')) suspectOutage()
  // An oauth2-proxy that answers here in the gateway's place knows no mark, and can mean nothing else.
  const response = answer.status === 401 && path === '/oauth2/userinfo' ? nobodyIsSignedIn() : answer
  if (isSessionEnd(response)) refusals.emit({ kind: 'session-end' })
  else if (response.status === 403) refusals.emit({ kind: 'forbidden', path })
  return response
}

type Signal = AbortSignal | null | undefined

/** The same response; a failure or a long wait is noted as a sign of an outage. */
async function noticed(response: Promise<Response>, signal: Signal): Promise<Response> {
  const timer = setTimeout(suspectOutage, slowMs)
  try {
    return await response
  } catch (error) {
    // A caller that loses interest is no sign of anything; its time limit is.
    if (!signal?.aborted || (signal.reason as Error | undefined)?.name === 'TimeoutError') suspectOutage()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const isSessionOver = () => sessionState() !== 'active'

/** What the gateway would answer, without asking it. */
const nobodyIsSignedIn = () => Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })

/** Silent reads are sent again soon, unless the tab is idle. */
const common = { fetch: send, probeUrl: '/health', mayProbe: () => !isIdle() }

/** The cluster, as the signed-in user. */
export const client: KubeClient = createKubeClient({ baseUrl: '/api/k8s', ...common })

/** The gateway's own addresses, with the errors and the time-out of a cluster call. */
export const gateway: Pick<KubeClient, 'request' | 'resendSilentReads'> = createKubeClient({ baseUrl: '', ...common })

/** Sends every read again that waits for a response: what it waits for may have been lost on the way. */
export function resendSilentReads(): void {
  client.resendSilentReads()
  gateway.resendSilentReads()
}
onRecovery(resendSilentReads)

/** @param path of the API, with its query: `/api/v1/namespaces/a/configmaps?watch=true` */
export function openWatchSocket(path: string): Socket {
  if (isSessionOver()) return endedSocket()
  const base = new URL(settings.baseUrl || globalThis.location.href)
  const scheme = base.protocol === 'https:' ? 'wss:' : 'ws:'
  return settings.openSocket(`${scheme}//${base.host}/wss/k8s${path}`, 'base64.binary.k8s.io')
}

function endedSocket(): Socket {
  const socket: Socket = { onopen: null, onmessage: null, onerror: null, onclose: null, close() {} }
  // The type of the handler wants a WebSocket to be called on, which no handler of ours reads.
  setTimeout(() => socket.onclose?.call(socket as WebSocket, new CloseEvent('close', { code: 1008 })))
  return socket
}
