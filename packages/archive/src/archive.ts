import type { KubeClient } from '@slipway/kube/client'
import { every, systemClock, type Clock } from '@slipway/kube/clock'
import { createAccess } from '@slipway/kube/access'
import { createCollector } from './collector/collector'
import type { ArchivedKind } from './kinds'
import { createKubeArchive, type RateLimits } from './kube-archive/kube-archive'
import type { ArchiveStore } from './store/store'
import { createTektonResults } from './tekton-results/tekton-results'

export interface ArchiveOptions {
  /** Calls the API server as the archive itself, which needs the permissions listed in README.md. */
  client: KubeClient
  /** Closed by its opener, after the archive. */
  store: ArchiveStore
  kinds: ArchivedKind[]
  clock?: Clock
  /** How long deleted objects are retained; forever by default. */
  retentionMs?: number
  /** Beyond this size of the store, the objects that were deleted first are removed earlier; unlimited by default. */
  maxBytes?: number
  /** Of the KubeArchive API; by default those of KubeArchive. */
  rateLimits?: RateLimits
  /** Receives warnings; by default they go to the console. */
  warn?(message: string): void
}

export interface Archive {
  kubeArchive(request: Request): Promise<Response>
  tektonResults(request: Request): Promise<Response>
  /** Settles once all finished objects known to the archive are archived. */
  idle(): Promise<void>
  close(): Promise<void>
}

const accessCacheMs = 5_000
const expiryPeriodMs = 600_000
/** Source: kubearchive.org, "Rate Limiting". */
const defaultRateLimits: RateLimits = {
  requests: { perSecond: 100, burst: 300 },
  logs: { perSecond: 10, burst: 30 },
}

/** Archives finished objects of a cluster and serves them through two APIs. */
export function createArchive(options: ArchiveOptions): Archive {
  const { client, store, kinds, clock = systemClock, retentionMs, maxBytes, rateLimits = defaultRateLimits } = options
  const warn = options.warn ?? ((message: string) => console.warn(message))
  const collector = createCollector({ client, store, kinds, clock, warn })
  const access = createAccess({ client, clock, cacheMs: accessCacheMs })
  const expire = () => {
    try {
      if (retentionMs !== undefined) store.expire(clock.now() - retentionMs)
      if (maxBytes !== undefined) store.shrink(maxBytes)
    } catch (error) {
      // For example on a full disk: the next run tries again.
      warn(`Expired objects could not be removed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  expire()
  const stopExpiry = every(clock, expiryPeriodMs, expire)
  return {
    kubeArchive: createKubeArchive({ client, store, access, clock, rateLimits }),
    tektonResults: createTektonResults({ store, access, kinds }),
    idle: () => collector.idle(),
    async close() {
      stopExpiry()
      await collector.close()
    },
  }
}
