import { createKubeClient, isSessionEnd } from '@slipway/kube/client'
import { viewKinds } from '@slipway/model/views/view-kinds'
import type { Frame, Message } from '@slipway/views/frame'
import { withConsoleHeaders } from '../console-headers'
import { idleTurnMs } from '../live/idle'
import { startEngine } from './engine'

/** What the page sends; `start` comes first. */
export type ToViewsWorker =
  | { type: 'start'; basePath: string }
  | { type: 'message'; message: Message }
  | { type: 'wake' }
  | { type: 'refresh'; namespace?: string | undefined }
  | { type: 'idle'; isIdle: boolean }

/** What the worker sends: `ready` when it can be started, `session-end` when the gateway knows no session any more. */
export type FromViewsWorker = { type: 'ready' } | { type: 'frame'; frame: Frame } | { type: 'session-end' }

const post = (message: FromViewsWorker) => self.postMessage(message)

let engine: ReturnType<typeof startEngine> | undefined
let isIdle = false
let nextTurnMs = 0

/** In an idle tab, one list may be read at a time, and not often: as on the page itself. */
function postponeMs(): number {
  if (!isIdle) return 0
  const waitMs = nextTurnMs - Date.now()
  if (waitMs > 0) return waitMs
  nextTurnMs = Date.now() + idleTurnMs
  return 0
}

function start(basePath: string) {
  const base = new URL(`${basePath}/wss/k8s`, self.location.href).href.replace('http', 'ws')
  const client = createKubeClient({
    baseUrl: `${basePath}/api/k8s`,
    async fetch(input, init) {
      const response = await fetch(input, withConsoleHeaders(init))
      if (isSessionEnd(response)) post({ type: 'session-end' })
      return response
    },
  })
  return startEngine({
    kinds: viewKinds,
    client,
    openSocket: (path) => new WebSocket(`${base}${path}`, 'base64.binary.k8s.io'),
    postponeMs,
    send: (frame) => post({ type: 'frame', frame }),
  })
}

self.onmessage = ({ data }: MessageEvent<ToViewsWorker>) => {
  if (data.type === 'start') engine = start(data.basePath)
  else if (data.type === 'message') engine?.receive(data.message)
  else if (data.type === 'wake') engine?.wake()
  else if (data.type === 'refresh') engine?.refresh(data.namespace)
  else isIdle = data.isIdle
}
post({ type: 'ready' })
