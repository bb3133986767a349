import type { Clock } from '@slipway/kube/clock'
import { Refusal } from '../refusal'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import type { OpenCounts } from './metrics'

export interface UsageLimits {
  /** Watches, followed logs and websockets that one user may have open. */
  streamsPerUser: number
  /** Other calls that one user may have under way. */
  callsPerUser: number
  /** Streams of all users together. */
  streams: number
  /** Calls that a session may begin in a second, for as long as it likes. */
  callsPerSecond: number
  /** Calls that a session may begin at once after a pause. */
  callBurst: number
}

/** How much of the gateway each user takes, and where that ends. Other replicas do not know: each has limits of its own. */
export interface Usage {
  /** A guard that lets nobody in beyond the limits. @throws Refusal 429 also, with the seconds to wait */
  limited(guard: Guard): Guard
  /** Counts calls that a session makes by one that was let in already. @throws Refusal 429 beyond the limit */
  charge(session: Session, calls: number): void
  readonly open: Readonly<OpenCounts>
}

type Kind = keyof OpenCounts

interface Bucket {
  tokens: number
  filledAt: number
}

/** When there are this many buckets, those that are full again are dropped. */
const pruneAt = 10_000

export function createUsage(limits: UsageLimits, clock: Clock): Usage {
  const open = { calls: 0, streams: 0, sockets: 0 }
  const byUser = new Map<string, { calls: number; streams: number }>()
  const buckets = new Map<string, Bucket>()

  /** The token bucket of a session: `callBurst` tokens at most, refilled at `callsPerSecond`. */
  function checkRate(session: Session, calls = 1): void {
    const now = clock.now()
    // A front proxy's sessions are of one call each.
    const key = session.via === 'front-proxy' ? `user ${session.identity.user}` : session.id
    const filled = ({ tokens, filledAt }: Bucket) =>
      Math.min(limits.callBurst, tokens + ((now - filledAt) / 1000) * limits.callsPerSecond)
    if (buckets.size >= pruneAt && !buckets.has(key)) {
      for (const [each, bucket] of buckets) if (filled(bucket) >= limits.callBurst) buckets.delete(each)
    }
    const known = buckets.get(key)
    const tokens = known ? filled(known) : limits.callBurst
    buckets.set(key, { tokens: tokens < calls ? tokens : tokens - calls, filledAt: now })
    if (tokens >= calls) return
    const waitS = Math.ceil((calls - tokens) / limits.callsPerSecond)
    throw tooMany('TooManyCallsPerSecond', `at most ${limits.callsPerSecond} calls a second`, waitS)
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
  new Refusal(429, `Too many requests: ${rule}.`, { 'retry-after': String(waitS) }, limit)
