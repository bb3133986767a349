import { every, systemClock, type Clock } from '@slipway/kube/clock'
import { basePath } from '../../lib/base-path'
import { workerAt } from '../../lib/worker-call'
import { cluster, gateway, openWatchSocket } from '../client'
import { isIdle, waitForTurnMs } from '../live/idle'
import { servedTypes } from '../served-types'
import type { LinkHandlers, OpenLink, ViewLink } from './view-link'
import type { FromViewsWorker, ToViewsWorker } from './views-worker'
import workerUrl from './views-worker?worker&url'

const idleCheckMs = 5_000

/** Starts the engine of views in a worker of this page. */
export const workerLink =
  (clock: Clock = systemClock): OpenLink =>
  (handlers) => {
    const open = workerAt(workerUrl)
    return open ? linkTo(open(), handlers, clock) : linkInPage(handlers, clock)
  }

function linkTo(
  worker: Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>,
  { onOpen, onFrame, onClose }: LinkHandlers,
  clock: Clock,
): ViewLink {
  const post = (message: ToViewsWorker) => worker.postMessage(message)
  let wasIdle = false
  const reportIdle = () => {
    if (isIdle() === wasIdle) return
    wasIdle = !wasIdle
    post({ type: 'idle', isIdle: wasIdle })
  }
  const stopIdle = every(clock, idleCheckMs, reportIdle)
  function close() {
    stopIdle()
    worker.onmessage = worker.onerror = null
    worker.terminate()
  }
  worker.onmessage = ({ data }: MessageEvent<FromViewsWorker>) => {
    if (data.type === 'frame') return onFrame(data.frame)
    // The page finds out by itself, as after any other request.
    if (data.type === 'session-end') return void gateway.request('/oauth2/userinfo').catch(() => undefined)
    post({ type: 'start', basePath })
    reportIdle()
    onOpen()
  }
  worker.onerror = () => {
    close()
    onClose()
  }
  return {
    send: (message) => post({ type: 'message', message }),
    wake() {
      reportIdle()
      post({ type: 'wake' })
    },
    refresh: (namespace) => post({ type: 'refresh', namespace }),
    close,
  }
}

/** Where there are no workers, the engine runs on the page. */
function linkInPage({ onOpen, onFrame, onClose }: LinkHandlers, clock: Clock): ViewLink {
  let engine: Awaited<ReturnType<typeof start>> | undefined
  let isClosed = false
  const start = async () => {
    const [{ startEngine }, { viewKinds }] = await Promise.all([
      import('./engine'),
      import('@slipway/model/views/view-kinds'),
    ])
    return startEngine({
      kinds: viewKinds,
      client: cluster,
      openSocket: openWatchSocket,
      postponeMs: waitForTurnMs,
      send: (frame) => isClosed || onFrame(frame),
      clock,
      servedTypes,
    })
  }
  start()
    .then((started) => {
      if (isClosed) return started.close()
      engine = started
      onOpen()
    })
    .catch(() => isClosed || onClose())
  return {
    send: (message) => engine?.receive(message),
    wake: () => engine?.wake(),
    refresh: (namespace) => engine?.refresh(namespace),
    close() {
      isClosed = true
      engine?.close()
    },
  }
}
