import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The pending responses of each connection. */
export type PendingResponses = ReturnType<typeof pendingResponses>

/**
 * Tracks the pending responses of each connection, so that the error for malformed bytes after a request is not sent in
 * place of the response to that request.
 */
export function pendingResponses() {
  const started = new WeakMap<Duplex, ServerResponse[]>()
  const waiting = new WeakSet<Duplex>()
  const unfinished = (socket: Duplex) =>
    (started.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed)
  return {
    track({ socket }: IncomingMessage, response: ServerResponse): void {
      started.set(socket, [...unfinished(socket), response])
    },
    /** Calls `run` when every completely received request has its response; while one waits, others are ignored. */
    after(socket: Duplex, run: () => void): void {
      if (waiting.has(socket)) return
      waiting.add(socket)
      const responses = unfinished(socket)
      // If the response to an incomplete request has started, an error would become part of it.
      const end = () => {
        waiting.delete(socket)
        if (responses.some(({ req, headersSent }) => !req.complete && headersSent)) socket.destroy()
        else run()
      }
      const last = responses.filter(({ req }) => req.complete).at(-1)
      if (last) last.once('close', end)
      else end()
    },
  }
}
