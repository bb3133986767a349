import type { Clock } from './clock'

export interface Rate {
  /** How many tokens may be taken at once after a pause. */
  burst: number
  /** The sustained rate. */
  perSecond: number
}

/** Token buckets by key, each initially full. */
export interface Buckets {
  /** Takes this many tokens, or none. @returns 0, or the seconds until there are enough */
  take(key: string, tokens?: number): number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** From this many buckets on, full ones are dropped. */
const pruneAt = 10_000

/** @param clock a steady clock, so that buckets keep filling if the system time is set back */
export function createBuckets({ burst, perSecond }: Rate, clock: Clock): Buckets {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, tokens = 1) {
      const now = clock.now()
      const filled = (bucket: Bucket) => Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond)
      if (buckets.size >= pruneAt && !buckets.has(key)) {
        for (const [each, bucket] of buckets) if (filled(bucket) >= burst) buckets.delete(each)
      }
      const known = buckets.get(key)
      const available = known ? filled(known) : burst
      const isEnough = available >= tokens
      buckets.set(key, { tokens: isEnough ? available - tokens : available, filledAt: now })
      return isEnough ? 0 : Math.ceil((tokens - available) / perSecond)
    },
  }
}
