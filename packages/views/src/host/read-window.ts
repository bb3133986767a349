import type { Clock } from '@slipway/kube/clock'
import { applyFrame, type ClientView, isSettled, pendingView } from '../client'
import type { Message } from '../frame'
import { openSession } from '../session'
import type { Shelves } from '../shelves'
import type { ViewKind } from '../view-kind'
import type { OpenRights } from './user-rights'

interface Options {
  kinds: readonly ViewKind[]
  shelves: Shelves
  /** Closed once the window is known. */
  rights: OpenRights
  clock: Clock
  /** Ends it with what is known by then. */
  stop: AbortSignal
}

/** A list that has to be read first may take long: what is known by then says so itself (`loading`). */
const patienceMs = 2_000

/** Reads the window of a query once, without keeping it up to date. */
export function readWindow(
  open: Message & { type: 'open' },
  { kinds, shelves, rights, clock, stop }: Options,
): Promise<ClientView> {
  return new Promise((resolve) => {
    let view = pendingView
    // Frames may be sent before `openSession` returns.
    let finish = () => {}
    const session = openSession({
      kinds,
      shelves,
      rights,
      clock,
      isDrained: () => true,
      send(frame) {
        view = applyFrame(view, frame)
        if (isSettled(view)) finish()
      },
    })
    const stopTimer = clock.after(patienceMs, () => finish())
    finish = () => {
      stopTimer()
      stop.removeEventListener('abort', finish)
      session.close()
      rights.close()
      resolve(view)
    }
    stop.addEventListener('abort', finish)
    session.receive(open)
  })
}
