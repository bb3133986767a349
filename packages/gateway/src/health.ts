import type { FastifyPluginAsync } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import { HttpError } from './http-error'

/** One thing without which no request can be answered well. */
export interface ReadyCheck {
  /** What is told when it fails: no address, no cause. */
  name: string
  /** Rejects while it is not so. */
  check(): Promise<unknown>
}

/** Probes may come as often as they like: what they cost the services behind the gateway is one round a second. */
const keepMs = 1_000
/** Whoever probes does not wait longer. */
const limitMs = 5_000

/**
 * `/health`: this process answers. `/ready`: so does everything that it needs. Both tell little.
 * @param isLeaving asked at each probe, since balancers must learn it at once
 */
export const healthRoutes = (
  checks: readonly ReadyCheck[],
  isLeaving: () => boolean,
  clock: Clock,
): FastifyPluginAsync => {
  let kept: { until: number; missing: Promise<string[]> } | undefined

  function missing(): Promise<string[]> {
    if (kept && clock.now() < kept.until) return kept.missing
    const round = Promise.all(checks.map((each) => isMissing(each, clock))).then((names) => names.flat())
    kept = { until: Infinity, missing: round }
    // A round counts from its end: a slow one is not joined by a second.
    void round.then(() => (kept = { until: clock.now() + keepMs, missing: round }))
    return round
  }

  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    app.get('/health', async () => ({ status: 'ok' }))
    app.get('/ready', async () => {
      if (isLeaving()) throw new HttpError(503, 'Not ready: this replica is leaving.')
      const names = await missing()
      if (names.length > 0) throw new HttpError(503, `Not ready: ${names.join(', ')}.`)
      return { status: 'ok' }
    })
  }
}

function isMissing({ name, check }: ReadyCheck, clock: Clock): Promise<string[]> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(limitMs, () => resolve([name]))
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
