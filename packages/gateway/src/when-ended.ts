import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const onEnd = new WeakMap<ServerResponse | Duplex, (() => void)[]>()

/**
 * Registers what is to happen when a response or a connection has ended, however it ends. All of the gateway that follows a
 * call shares one listener, in the order of its registrations: Node reports more than ten as a leak.
 */
export function whenEnded(open: ServerResponse | Duplex, run: () => void): void {
  const known = onEnd.get(open)
  if (known) return void known.push(run)
  const all = [run]
  onEnd.set(open, all)
  open.once('close', () => all.forEach((each) => each()))
}
