import type { KubeClient } from '@slipway/kube/client'
import { every, systemClock, type Clock } from '@slipway/kube/clock'
import type { Rate } from '@slipway/kube/token-buckets'
import { createAccess } from './access'
import { createCollector } from './collector/collector'
import type { ArchivedKind } from './kinds'
import { createKubeArchive } from './kube-archive/kube-archive'
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
  /** Limit per user of the KubeArchive API. */
  rateLimit?: Rate
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
const expiryPeriodMs = 3_600_000
const defaultRateLimit: Rate = { perSecond: 100, burst: 200 }

/** Archives finished objects of a cluster and serves them through two APIs. */
export function createArchive(options: ArchiveOptions): Archive {
  const { client, store, kinds, clock = systemClock, retentionMs, rateLimit = defaultRateLimit } = options
  const warn = options.warn ?? ((message: string) => console.warn(message))
  const collector = createCollector({ client, store, kinds, clock, warn })
  const access = createAccess({ client, clock, cacheMs: accessCacheMs })
  const expire = () => {
    if (retentionMs === undefined) return
    try {
      store.expire(clock.now() - retentionMs)
    } catch (error) {
      // For example on a full disk: the next run tries again.
      warn(`Expired objects could not be removed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  expire()
  const stopExpiry = retentionMs === undefined ? () => {} : every(clock, expiryPeriodMs, expire)
  return {
    kubeArchive: createKubeArchive({ client, store, access, clock, rateLimit }),
    tektonResults: createTektonResults({ store, access, kinds }),
    idle: () => collector.idle(),
    async close() {
      stopExpiry()
      await collector.close()
    },
  }
}
