import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { HttpError } from '@slipway/connect/http-error'
import type { ApiCall } from '../gateway-request'

/** Metrics of the gateway. No label contains a user, a path or an object: those go to the log. */
export interface Metrics {
  /** Counts a response to a request or to a websocket handshake. */
  recordResponse(call: ApiCall, status: number, durations: { firstByteMs: number; ms: number }): void
  /** Counts a request that the gateway rejected or failed to forward. */
  recordRejection(call: ApiCall, error: HttpError): void
  /** Counts a user who returned from the identity provider. */
  recordSignIn(isSuccess: boolean): void
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** How much is open now. */
export interface OpenCounts {
  calls: number
  streams: number
  sockets: number
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** @param counts called on each scrape */
export function createMetrics(counts: () => OpenCounts, { withProcess = false } = {}): Metrics {
  // A separate registry: several gateways in one process must not share counters.
  const registry = new Registry()
  const registers = [registry]
  if (withProcess) collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'slipway_gateway_request_seconds',
    help: 'Time until the response was complete; for watches, followed logs and websockets, until it started',
    labelNames: ['verb', 'upstream', 'status'] as const,
    buckets: seconds,
    registers,
  })
  const rejections = new Counter({
    name: 'slipway_gateway_refused_total',
    help: 'Requests that the gateway rejected or failed to forward',
    labelNames: ['reason'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'slipway_gateway_upstream_failures_total',
    help: 'Requests that failed because an upstream was unreachable, too slow or rejected the gateway',
    labelNames: ['upstream', 'code'] as const,
    registers,
  })
  const signIns = new Counter({
    name: 'slipway_gateway_sign_ins_total',
    help: 'Users who returned from the identity provider',
    labelNames: ['outcome'] as const,
    registers,
  })
  for (const [kind, help] of Object.entries(openHelp) as [keyof OpenCounts, string][]) {
    new Gauge({
      name: `slipway_gateway_open_${kind}`,
      help,
      registers,
      collect() {
        this.set(counts()[kind])
      },
    })
  }
  return {
    recordResponse({ verb, upstream = 'none', isStream }, status, { firstByteMs, ms }) {
      const labels = { verb: verbClass(verb), upstream, status: `${Math.floor(status / 100)}xx` }
      duration.observe(labels, (isStream ? firstByteMs : ms) / 1000)
    },
    recordRejection({ upstream = 'none' }, error) {
      rejections.inc({ reason: error.reason })
      if (error.code === 502 || error.code === 504) failures.inc({ upstream, code: String(error.code) })
    },
    recordSignIn: (isSuccess) => signIns.inc({ outcome: isSuccess ? 'success' : 'failure' }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

const openHelp: Record<keyof OpenCounts, string> = {
  calls: 'Pending calls, without streams',
  streams: 'Open watches and followed logs over HTTP',
  sockets: 'Open websockets',
}

/** A verb may come from a client, and clients must not be able to create labels. */
function verbClass(verb: string): string {
  if (verb === 'get' || verb === 'list' || verb === 'watch') return verb
  return ['create', 'update', 'patch', 'delete', 'deletecollection', 'post', 'put'].includes(verb) ? 'write' : 'other'
}
