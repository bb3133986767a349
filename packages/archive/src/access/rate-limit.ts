import type { Clock } from '@slipway/kube/clock'

export interface RateLimit {
  perSecond: number
  /** Number of requests allowed at once after a pause. */
  burst: number
}

const mostUsers = 10_000

/** A token bucket per user. The returned function returns whether to serve a request. */
export function createRateLimiter(clock: Clock, { perSecond, burst }: RateLimit): (user: string) => boolean {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return (user) => {
    const nowMs = clock.now()
    const bucket = buckets.get(user) ?? { tokens: burst, atMs: nowMs }
    const tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond)
    if (buckets.size >= mostUsers) buckets.clear()
    buckets.set(user, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs })
    return tokens >= 1
  }
}
