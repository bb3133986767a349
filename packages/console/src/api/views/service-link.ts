import { every, systemClock, type Clock } from '@slipway/kube/clock'
import { asRecord, parseJson } from '@slipway/kube/parse'
import type { Frame } from '@slipway/views/frame'
import { gateway, openWatchSocket } from '../client'
import type { OpenLink } from './view-link'

/** The gateway's plugin knows this path (plugins/views.ts). */
const socketPath = '/plugins/views/v1/socket?heartbeat=true'
const handshakeMs = 5_000
/** The service sends a heartbeat every 5 s: after two that did not arrive, it is dead or hangs. */
const silenceMs = 12_000
const checkMs = 3_000
/** Close code of the gateway: signing in again would help. */
const sessionEnded = 4401
const abnormalClose = 1006

/** Opens the websocket that carries all views of this tab. */
export const serviceLink =
  (clock: Clock = systemClock): OpenLink =>
  ({ onOpen, onFrame, onClose }) => {
    const socket = openWatchSocket(socketPath, [])
    let isOpen = false
    let heardMs = clock.now()
    const limitMs = () => (isOpen ? silenceMs : handshakeMs)
    const checkSilence = () => {
      if (clock.now() - heardMs < limitMs()) return
      end(abnormalClose)
    }
    const stopChecks = every(clock, checkMs, checkSilence)

    function close() {
      stopChecks()
      socket.onopen = socket.onmessage = socket.onclose = null
      socket.close()
    }
    function end(code: number) {
      close()
      // Only a request finds out what it means for the rest of the console.
      if (code === sessionEnded) void gateway.request('/oauth2/userinfo').catch(() => undefined)
      onClose(code)
    }

    socket.onopen = () => {
      isOpen = true
      heardMs = clock.now()
      onOpen()
    }
    socket.onmessage = ({ data }) => {
      heardMs = clock.now()
      if (data === '') return
      const frame = parseJson(String(data))
      // The engine sent it, of the same version or one that is compatible.
      if (typeof asRecord(frame).type === 'string') onFrame(frame as Frame)
    }
    socket.onclose = ({ code }) => end(code)
    return {
      send: (message) => socket.send(JSON.stringify(message)),
      wake: checkSilence,
      // Rights are the service's own concern; a socket of another network is dead.
      refresh: (namespace) => namespace ?? end(abnormalClose),
      close,
    }
  }
