import type { Clock } from '@slipway/kube/clock'

interface Rate {
  /** What may be taken at once after a pause. */
  burst: number
  /** What may be taken for as long as one likes. */
  perSecond: number
}

/** Token buckets by name, each full at first. */
export interface Buckets {
  /** Takes so many tokens, or none. @returns 0, or the seconds until there are as many */
  take(key: string, tokens?: number): number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** When there are this many buckets, those that are full again are dropped. */
const pruneAt = 10_000

/** @param clock a steady one, lest nothing is filled after the time of day was set back */
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
