import type { FastifyPluginAsync } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'

/** A dependency that requests need. */
export interface ReadyCheck {
  /** Shown when the check fails, so it must not contain an address or a cause. */
  name: string
  /** Rejects while the dependency is not ready. */
  check(): Promise<unknown>
}

/** However often probes come, the services behind the gateway are checked at most once a second. */
const cacheMs = 1_000
/** A probe does not wait longer. */
const timeoutMs = 5_000

/**
 * `/health`: this process responds. `/ready`: so does everything it needs. Both reveal little.
 * @param isDraining called on each probe, since load balancers must see it at once
 */
export const healthRoutes = (
  checks: readonly ReadyCheck[],
  isDraining: () => boolean,
  clock: Clock,
): FastifyPluginAsync => {
  let cached: { until: number; failing: Promise<string[]> } | undefined

  function failing(): Promise<string[]> {
    if (cached && clock.now() < cached.until) return cached.failing
    const round = Promise.all(checks.map((each) => nameIfFailing(each, clock))).then((names) => names.flat())
    cached = { until: Infinity, failing: round }
    // The cache time starts when a round ends, so that a slow round never overlaps with a second one.
    void round.then(() => (cached = { until: clock.now() + cacheMs, failing: round }))
    return round
  }

  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    app.get('/health', async () => ({ status: 'ok' }))
    app.get('/ready', async () => {
      if (isDraining()) throw new HttpError(503, 'Not ready: this replica is shutting down.')
      const names = await failing()
      if (names.length > 0) throw new HttpError(503, `Not ready: ${names.join(', ')}.`)
      return { status: 'ok' }
    })
  }
}

function nameIfFailing({ name, check }: ReadyCheck, clock: Clock): Promise<string[]> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(timeoutMs, () => resolve([name]))
    const settle = (names: string[]) => {
      stopTimer()
      resolve(names)
    }
    check().then(
      () => settle([]),
      () => settle([name]),
    )
  })
}
