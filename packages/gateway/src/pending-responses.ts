import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { whenEnded } from './when-ended'

/** The pending responses of each connection. They are waited for, and nothing ends them. */
export interface PendingResponses {
  track(request: IncomingMessage, response: ServerResponse): void
  all(): ServerResponse[]
  /**
   * Calls `run` when every completely received request of a connection has its response, so that the error for malformed
   * bytes after a request is not sent in place of the response to that request. While one call waits, others are ignored.
   */
  after(socket: Duplex, run: () => void): void
}

export function createPendingResponses(): PendingResponses {
  const bySocket = new Map<Duplex, Set<ServerResponse>>()
  const waiting = new WeakSet<Duplex>()
  return {
    track({ socket }, response) {
      const own = bySocket.get(socket) ?? new Set()
      bySocket.set(socket, own.add(response))
      whenEnded(response, () => {
        own.delete(response)
        if (own.size === 0 && bySocket.get(socket) === own) bySocket.delete(socket)
      })
    },
    all: () => [...bySocket.values()].flatMap((own) => [...own]),
    after(socket, run) {
      if (waiting.has(socket)) return
      waiting.add(socket)
      const unfinished = [...(bySocket.get(socket) ?? [])].filter((each) => !each.writableFinished && !each.destroyed)
      // If the response to an incomplete request has started, an error would become part of it.
      const end = () => {
        waiting.delete(socket)
        if (unfinished.some(({ req, headersSent }) => !req.complete && headersSent)) socket.destroy()
        else run()
      }
      const last = unfinished.filter(({ req }) => req.complete).at(-1)
      if (last) whenEnded(last, end)
      else end()
    },
  }
}
