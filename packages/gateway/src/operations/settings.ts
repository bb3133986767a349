import { isLoopback } from '../origins'
import type { RequestLimits } from './limits'

export interface MetricsConfig {
  /** Default `127.0.0.1`. */
  host?: string
  /** 0 takes any free port. */
  port: number
  /** Says that whoever reaches `host` may read the metrics: they have no user in them, but ask nobody who they are. */
  isOpenToNetwork?: boolean
}

/** Against clients that send a request slowly, to keep the connection. */
export interface TimeLimits {
  /** The head of a request must be there within this time. */
  headersMs: number
  /** The whole request must be. */
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

/** @throws Error with one sentence that says what to change */
export function metricsSettings(config: MetricsConfig | undefined): { host: string; port: number } | undefined {
  if (!config) return undefined
  const { host = '127.0.0.1', port, isOpenToNetwork = false } = config
  if (isLoopback(host) || isOpenToNetwork) return { host, port }
  throw new Error(`metrics.host ${host} is not loopback, and metrics ask nobody who they are: say isOpenToNetwork.`)
}

/** @throws Error with one sentence that says what to change */
export function checkLimits(limits: Record<string, number>): void {
  const wrong = Object.entries(limits).find(([, value]) => !(value > 0))
  if (wrong) throw new Error(`limits.${wrong[0]} must be above zero.`)
}
