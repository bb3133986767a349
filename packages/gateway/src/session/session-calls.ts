import { HttpError } from '@slipway/connect/http-error'
import { notSignedIn } from '../http-error'
import type { Session } from './sessions'

/**
 * Why the gateway ends a call: its session has ended, the gateway shuts down, or the user may no longer read what the call
 * sends.
 */
export type CallEnd = 'session' | 'shutdown' | 'forbidden'

/** The error to respond with if a call is ended before the upstream has responded. */
export function callEndError(reason: CallEnd): HttpError {
  if (reason === 'session') return notSignedIn()
  if (reason === 'forbidden') return new HttpError(403, 'You are no longer allowed to read this.')
  return new HttpError(503, 'The gateway is shutting down.')
}

/** The open responses and websockets of each session, so that none outlives its session. */
export interface SessionCalls {
  /**
   * @param isLongLived whether it lasts until one side ends it
   * @returns a function to call when the call has ended by itself
   */
  open(session: Session, end: (reason: CallEnd) => void, isLongLived?: boolean): () => void
  /** Called when a session is used: its calls may continue until its new end. */
  extend(session: Pick<Session, 'id' | 'streamsUntil'>): void
  endSession(id: string): void
  /** Ends the calls of sessions that have expired or been signed out. */
  endExpired(now: number, isSignedOut: (session: Session) => boolean): void
  endAll(): void
  /** Ends this many of the long-lived calls. @returns how many there were */
  endLongLived(count: number): number
  readonly size: number
}

interface Group {
  /** As it was when its first call was opened. */
  session: Session
  until: number
  ends: Set<(reason: CallEnd) => void>
}

export function createSessionCalls(): SessionCalls {
  const groups = new Map<string, Group>()
  const longLived = new Set<(reason: CallEnd) => void>()
  const endGroup = (id: string, group: Group, reason: CallEnd) => {
    groups.delete(id)
    for (const end of group.ends) end(reason)
  }
  return {
    open(session, end, isLongLived = true) {
      const group = groups.get(session.id) ?? { session, until: session.streamsUntil, ends: new Set() }
      groups.set(session.id, group)
      group.ends.add(end)
      if (isLongLived) longLived.add(end)
      return () => {
        longLived.delete(end)
        group.ends.delete(end)
        if (group.ends.size === 0 && groups.get(session.id) === group) groups.delete(session.id)
      }
    },
    extend({ id, streamsUntil }) {
      const group = groups.get(id)
      if (group) group.until = Math.max(group.until, streamsUntil)
    },
    endSession(id) {
      const group = groups.get(id)
      if (group) endGroup(id, group, 'session')
    },
    endExpired(now, isSignedOut) {
      for (const [id, group] of groups) {
        if (group.until <= now || isSignedOut(group.session)) endGroup(id, group, 'session')
      }
    },
    endAll() {
      for (const [id, group] of groups) endGroup(id, group, 'shutdown')
    },
    endLongLived(count) {
      const open = [...longLived]
      for (const end of open.slice(0, count)) {
        // A call that takes time to end, such as a websocket, must not be ended twice.
        longLived.delete(end)
        end('shutdown')
      }
      return open.length
    },
    get size() {
      return [...groups.values()].reduce((sum, { ends }) => sum + ends.size, 0)
    },
  }
}
