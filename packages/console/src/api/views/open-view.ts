import { systemClock, type Clock } from '@slipway/kube/clock'
import { isSettled, pendingView } from '@slipway/views/client'
import type { ViewQuery } from '@slipway/views/frame'
import { isVersion } from '@slipway/views/version'
import { onAccessChange } from '../access/access'
import { lens } from '../client'
import { waitForTurnMs } from '../live/idle'
import { onReconnect } from '../live/live'
import { onRecovery } from '../live/outage'
import { onSessionState, sessionState } from '../session/session-state'
import { onWritten } from '../writes/writes'
import { serviceLink } from './service-link'
import { findViewsService } from './service-probe'
import {
  createViewConnection,
  initialViewState,
  type OpenedView,
  type ViewConnection,
  type ViewState,
} from './view-connection'
import { openWindows } from './windows'
import { workerLink } from './worker-link'

let connection: ViewConnection | undefined

/**
 * Starts carrying views; `openView` does so when it is first called. Returns a function that ends it. What wakes watches
 * wakes views too.
 */
export function startViews(clock: Clock = systemClock): () => void {
  const own = createViewConnection({
    openService: serviceLink(clock),
    openWorker: workerLink(clock),
    findService: findViewsService,
    clock,
    random: Math.random,
    postponeMs: waitForTurnMs,
  })
  connection = own
  const wake = () => {
    if (document.visibilityState !== 'hidden') own.wake()
  }
  const listening = new AbortController()
  document.addEventListener('visibilitychange', wake, listening)
  globalThis.addEventListener('pageshow', wake, listening)
  globalThis.addEventListener('focus', wake, listening)
  globalThis.addEventListener('online', () => own.refresh(), listening)
  const stops = [
    onRecovery(wake),
    onReconnect(wake),
    onSessionState(() => sessionState() === 'active' && wake()),
    onAccessChange((namespace, by) => by === 'rules' && own.refresh(namespace)),
    onWritten(({ plural }, namespace, version) => isVersion(version) && own.requireVersion(plural, namespace, version)),
  ]
  return () => {
    for (const stop of stops) stop()
    listening.abort()
    own.close()
    if (connection === own) connection = undefined
  }
}

/**
 * Opens a live window over lists: sorted, filtered and counted by the service for views or, where there is none, by a
 * worker of this page. It stays up to date until it is closed, and asks for whatever it takes.
 * @param onState called after each change of `state`
 */
export function openView(query: ViewQuery, onState: () => void): OpenedView {
  if (lens?.deniesView(query.kind, query.namespaces)) return deniedView(query)
  if (!connection) startViews()
  const { open } = connection ?? failNotStarted()
  return openWindows(open, query, onState)
}

/**
 * For `parts` of a page that opens views: finds out who reads them and connects while the page is still being prepared. A
 * page that is rendered on a server, or recorded for its preloads, opens no connection.
 */
export async function connectViews(): Promise<void> {
  if (import.meta.env.SSR) await findViewsService(false)
  else {
    if (!connection) startViews()
    connection?.connect()
  }
}

/** The view of a role that may not read it. It has no rows, whatever its query becomes. */
const deniedView = ({ namespaces }: ViewQuery): OpenedView => ({
  state: { ...initialViewState, host: 'worker', view: { ...pendingView, isPending: false, denied: [...namespaces] } },
  change() {},
  close() {},
})

/** How long to wait for the rows of a view before its page is shown without. */
const patienceMs = 5_000

/** The first state of a view in which all of its rows are known, or why they are not; or else the one after 5 s. */
export const firstState = (query: ViewQuery): Promise<ViewState> =>
  new Promise((resolve) => {
    const check = () => {
      const { lost, view: shown } = view.state
      if (lost !== undefined || isSettled(shown)) finish()
    }
    const view = openView(query, check)
    const timer = setTimeout(finish, patienceMs)
    check()
    function finish() {
      clearTimeout(timer)
      view.close()
      resolve(view.state)
    }
  })

const failNotStarted = (): never => {
  throw new Error('Views have not been started.')
}
