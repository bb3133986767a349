import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Follows the answers that each connection still waits for, so that a refusal of what comes behind a call does not take
 * the place of that call's answer.
 */
export function responsesFirst() {
  const begun = new WeakMap<Duplex, ServerResponse[]>()
  const waiting = new WeakSet<Duplex>()
  const openOf = (socket: Duplex) =>
    (begun.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed)
  return {
    follow({ socket }: IncomingMessage, response: ServerResponse): void {
      begun.set(socket, [...openOf(socket), response])
    },
    /** Runs once, when every call that came whole is answered. */
    after(socket: Duplex, run: () => void): void {
      if (waiting.has(socket)) return
      waiting.add(socket)
      const responses = openOf(socket)
      // Where the answer to a call that broke off has begun, a refusal would become part of it.
      const end = () =>
        responses.some(({ req, headersSent }) => !req.complete && headersSent) ? socket.destroy() : run()
      const last = responses.filter(({ req }) => req.complete).at(-1)
      if (last) last.once('close', end)
      else end()
    },
  }
}
