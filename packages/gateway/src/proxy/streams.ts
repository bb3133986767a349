import { notSignedIn, HttpError } from '../http-error'
import type { Session } from '../session/sessions'

export type StreamEnd = 'session' | 'shutdown'

/** What to answer when the end comes before the upstream's first word. */
export const refusalAtEnd = (why: StreamEnd): HttpError =>
  why === 'session' ? notSignedIn() : new HttpError(503, 'The gateway is shutting down.')

/** Every answer and websocket still open, by session, so that none outlives it. */
export interface Streams {
  /**
   * @param isLong it lasts until somebody ends it
   * @returns to be called when the stream has ended by itself
   */
  open(session: Session, end: (why: StreamEnd) => void, isLong?: boolean): () => void
  /** A session was used: its streams may go on for as long as it now says. */
  extend(session: Pick<Session, 'id' | 'streamsUntil'>): void
  endSession(id: string): void
  /** Ends those of sessions that are over by time or, as the caller knows, by sign-out. */
  endOver(now: number, isSignedOut: (id: string) => boolean): void
  endAll(): void
  /** Ends so many of those that would not end by themselves, of which the answer says how many there are. */
  endLong(count: number): number
  readonly size: number
}

interface Group {
  until: number
  ends: Set<(why: StreamEnd) => void>
}

export function createStreams(): Streams {
  const groups = new Map<string, Group>()
  const long = new Set<(why: StreamEnd) => void>()
  const endGroup = (id: string, group: Group, why: StreamEnd) => {
    groups.delete(id)
    for (const end of group.ends) end(why)
  }
  return {
    open(session, end, isLong = true) {
      const group = groups.get(session.id) ?? { until: session.streamsUntil, ends: new Set() }
      groups.set(session.id, group)
      group.ends.add(end)
      if (isLong) long.add(end)
      return () => {
        long.delete(end)
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
    endOver(now, isSignedOut) {
      for (const [id, group] of groups) if (group.until <= now || isSignedOut(id)) endGroup(id, group, 'session')
    },
    endAll() {
      for (const [id, group] of groups) endGroup(id, group, 'shutdown')
    },
    endLong(count) {
      const open = [...long]
      for (const end of open.slice(0, count)) {
        // An end that takes its time, as a websocket's does, is not to be told again.
        long.delete(end)
        end('shutdown')
      }
      return open.length
    },
    get size() {
      return [...groups.values()].reduce((sum, { ends }) => sum + ends.size, 0)
    },
  }
}
