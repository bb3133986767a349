import type { Clock } from '@slipway/kube/clock'
import { HttpError } from '../http-error'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import { createBuckets } from './buckets'
import type { OpenCounts } from './metrics'

export interface RequestLimits {
  /** Watches, followed logs and websockets that one user may have open. */
  streamsPerUser: number
  /** Other calls that one user may have under way. */
  callsPerUser: number
  /** Streams of all users together. */
  streams: number
  /** Calls that one user may begin in a second, for as long as they like. */
  callsPerSecond: number
  /** Calls that one user may begin at once after a pause. */
  callBurst: number
}

/** How much of the gateway each user takes, and where that ends. Other replicas do not know: each has limits of its own. */
export interface Limiter {
  /** A guard that lets nobody in beyond the limits. @throws Refusal 429 also, with the seconds to wait */
  limited(guard: Guard): Guard
  /** Counts calls that a session makes by one that was let in already. @throws Refusal 429 beyond the limit */
  charge(session: Session, calls: number): void
  readonly open: Readonly<OpenCounts>
}

type Kind = keyof OpenCounts

export function createLimiter(limits: RequestLimits, clock: Clock): Limiter {
  const open = { calls: 0, streams: 0, sockets: 0 }
  const byUser = new Map<string, { calls: number; streams: number }>()
  const rates = createBuckets({ burst: limits.callBurst, perSecond: limits.callsPerSecond }, clock)

  /** By user and not by session, of which each can have as many as they like. */
  function checkRate({ identity: { user } }: Session, calls = 1): void {
    const waitS = rates.take(user, calls)
    if (waitS > 0) throw tooMany('TooManyCallsPerSecond', `at most ${limits.callsPerSecond} calls a second`, waitS)
  }

  /** Takes a place until the connection's end, which frees it. */
  function take({ identity: { user } }: Session, kind: Kind, onEnd: (free: () => void) => void): void {
    const isStream = kind !== 'calls'
    const own = byUser.get(user) ?? { calls: 0, streams: 0 }
    if (isStream && own.streams >= limits.streamsPerUser) {
      throw tooMany('TooManyStreams', `at most ${limits.streamsPerUser} open watches and logs`, 5)
    }
    if (isStream && open.streams + open.sockets >= limits.streams) {
      throw tooMany('TooManyStreamsOfAll', 'no more open watches and logs at this gateway', 5)
    }
    if (!isStream && own.calls >= limits.callsPerUser) {
      throw tooMany('TooManyCalls', `at most ${limits.callsPerUser} calls at once`, 1)
    }
    const part = isStream ? 'streams' : 'calls'
    own[part] += 1
    open[kind] += 1
    byUser.set(user, own)
    onEnd(() => {
      own[part] -= 1
      open[kind] -= 1
      if (own.calls + own.streams === 0) byUser.delete(user)
    })
  }

  return {
    open,
    // The one that was let in has taken one already: what is more than the rest of a full bucket would wait for ever.
    charge: (session, calls) => checkRate(session, Math.min(calls, limits.callBurst - 1)),
    limited: (guard) => ({
      async sessionOf(request) {
        const session = await guard.sessionOf(request)
        const { socket } = request
        if (socket.destroyed) return session
        checkRate(session)
        take(session, 'sockets', (free) => socket.once('close', free))
        return session
      },
      async admit(request, reply) {
        const session = await guard.admit(request, reply)
        checkRate(session)
        const kind = request.apiCall.isStream ? 'streams' : 'calls'
        if (!reply.raw.destroyed) take(session, kind, (free) => reply.raw.once('close', free))
        return session
      },
    }),
  }
}

const tooMany = (limit: string, rule: string, waitS: number) =>
  new HttpError(429, `Too many requests: ${rule}.`, { 'retry-after': String(waitS) }, limit)
