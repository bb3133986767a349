import { configError } from '@slipway/connect/config-error'
import { isLoopback } from '@slipway/connect/loopback'
import type { RequestLimits } from './limits'
import { setting } from '../setting'

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

/** @throws ConfigError that says what to change */
export function metricsSettings(config: MetricsConfig | undefined): { host: string; port: number } | undefined {
  if (!config) return undefined
  const { host = '127.0.0.1', port, isOpenToNetwork = false } = config
  if (isLoopback(host) || isOpenToNetwork) return { host, port }
  throw configError`${setting('metrics.host')} ${host} is not loopback, and metrics need no authentication: to expose them, set ${setting('metrics.isOpenToNetwork')}.`
}

/** @throws ConfigError that says what to change */
export function checkLimits(limits: object): void {
  const invalid = Object.entries(limits).find(([, limit]) => !(limit > 0))
  if (invalid) throw configError`${setting(`limits.${invalid[0]}`)} must be greater than zero.`
}
