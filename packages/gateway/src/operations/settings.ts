import { isLoopback } from '../origins'
import type { RequestLimits } from './limits'

export interface MetricsConfig {
  /** Default `127.0.0.1`. */
  host?: string
  /** 0 picks any free port. */
  port: number
  /** Confirms that everyone who can reach `host` may read the metrics, which name no user but need no authentication. */
  isOpenToNetwork?: boolean
}

/** Protection against clients that hold connections by sending requests slowly. */
export interface TimeLimits {
  /** The head of a request must arrive within this time. */
  headersMs: number
  /** The whole request must arrive within this time. */
  requestMs: number
}

export const limitDefaults: RequestLimits & TimeLimits = {
  streamsPerUser: 64,
  callsPerUser: 128,
  streams: 10_000,
  callsPerSecond: 50,
  callBurst: 500,
  headersMs: 10_000,
  requestMs: 60_000,
}

/** @throws Error with a sentence that says what to change */
export function metricsSettings(config: MetricsConfig | undefined): { host: string; port: number } | undefined {
  if (!config) return undefined
  const { host = '127.0.0.1', port, isOpenToNetwork = false } = config
  if (isLoopback(host) || isOpenToNetwork) return { host, port }
  throw new Error(
    `metrics.host ${host} is not loopback, and metrics need no authentication: to expose them, say isOpenToNetwork.`,
  )
}

/** @throws Error with a sentence that says what to change */
export function checkLimits(limits: Record<string, number>): void {
  const wrong = Object.entries(limits).find(([, value]) => !(value > 0))
  if (wrong) throw new Error(`limits.${wrong[0]} must be greater than zero.`)
}
