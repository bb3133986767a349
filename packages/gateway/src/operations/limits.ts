import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import { createBuckets } from '@slipway/kube/token-buckets'
import { whenEnded } from '../when-ended'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import type { OpenCounts } from './metrics'

export interface RequestLimits {
  /** Watches, followed logs and websockets that one user may have open. */
  streamsPerUser: number
  /** Other calls that one user may have pending. */
  callsPerUser: number
  /** Open streams of all users together. */
  streams: number
  /** Sustained rate of calls of one user. */
  callsPerSecond: number
  /** Calls that one user may make at once after a pause. */
  callBurst: number
}

/** Limits how much of the gateway each user takes. Each replica counts separately. */
export interface Limiter {
  /** A guard that also applies the limits. @throws HttpError 429 with the seconds to wait */
  limitGuard(guard: Guard): Guard
  /** Counts further calls that an admitted request makes. @throws HttpError 429 above the limit */
  charge(session: Pick<Session, 'identity'>, calls: number): void
  readonly open: Readonly<OpenCounts>
}

type Kind = keyof OpenCounts

export function createLimiter(limits: RequestLimits, clock: Clock): Limiter {
  const open = { calls: 0, streams: 0, sockets: 0 }
  const byUser = new Map<string, { calls: number; streams: number }>()
  const rates = createBuckets({ burst: limits.callBurst, perSecond: limits.callsPerSecond }, clock)

  /** By user and not by session, since a user can have any number of sessions. */
  function checkRate({ identity: { user } }: Pick<Session, 'identity'>, calls = 1): void {
    const waitS = rates.take(user, calls)
    if (waitS > 0) throw tooMany('TooManyCallsPerSecond', `at most ${limits.callsPerSecond} calls a second`, waitS)
  }

  /** Takes a slot until the connection ends. */
  function acquire({ identity: { user } }: Session, kind: Kind, onEnd: (release: () => void) => void): void {
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
    // The admitted request took one token; a charge of more than the rest of a full bucket could never succeed.
    charge: (session, calls) => checkRate(session, Math.min(calls, limits.callBurst - 1)),
    limitGuard: (guard) => ({
      async readSession(request) {
        const session = await guard.readSession(request)
        const { socket } = request
        if (socket.destroyed) return session
        checkRate(session)
        acquire(session, 'sockets', (release) => whenEnded(socket, release))
        return session
      },
      async admit(request, reply) {
        const session = await guard.admit(request, reply)
        checkRate(session)
        const kind = request.parsed.call.isStream ? 'streams' : 'calls'
        if (!reply.raw.destroyed) acquire(session, kind, (release) => whenEnded(reply.raw, release))
        return session
      },
    }),
  }
}

const tooMany = (limit: string, rule: string, waitS: number) =>
  new HttpError(429, `Too many requests: ${rule}.`, { 'retry-after': String(waitS) }, limit)
