import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { HttpError } from '../http-error'
import type { ApiCall } from './api-call'

/** What is counted. No label names a user, a path or an object: those are for the log. */
export interface Metrics {
  /** A request has been answered, or a websocket's handshake. */
  answered(call: ApiCall, status: number, durations: { firstByteMs: number; ms: number }): void
  /** The gateway has refused a request itself, or has failed to pass it on. */
  refused(call: ApiCall, refusal: HttpError): void
  /** Somebody has come back from the identity provider. */
  signedIn(isSuccess: boolean): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

/** How much is open right now. */
export interface OpenCounts {
  calls: number
  streams: number
  sockets: number
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** @param counts asked at each scrape */
export function createMetrics(counts: () => OpenCounts, { withProcess = false } = {}): Metrics {
  // Of its own: several gateways in one process must not count together.
  const registry = new Registry()
  const registers = [registry]
  if (withProcess) collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'slipway_gateway_request_seconds',
    help: 'Time until a request was answered whole; for watches, followed logs and websockets until the answer began',
    labelNames: ['verb', 'upstream', 'status'] as const,
    buckets: seconds,
    registers,
  })
  const refusals = new Counter({
    name: 'slipway_gateway_refused_total',
    help: 'Requests that the gateway answered with a failure of its own',
    labelNames: ['reason'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'slipway_gateway_upstream_failures_total',
    help: 'Requests that failed since an upstream could not be reached, did not answer in time or refused the gateway',
    labelNames: ['upstream', 'code'] as const,
    registers,
  })
  const signIns = new Counter({
    name: 'slipway_gateway_sign_ins_total',
    help: 'People who came back from the identity provider',
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
    answered({ verb, upstream = 'none', isStream }, status, { firstByteMs, ms }) {
      const labels = { verb: verbClass(verb), upstream, status: `${Math.floor(status / 100)}xx` }
      duration.observe(labels, (isStream ? firstByteMs : ms) / 1000)
    },
    refused({ upstream = 'none' }, refusal) {
      refusals.inc({ reason: refusal.reason })
      if (refusal.code === 502 || refusal.code === 504) failures.inc({ upstream, code: String(refusal.code) })
    },
    signedIn: (isSuccess) => signIns.inc({ outcome: isSuccess ? 'success' : 'failure' }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

const openHelp: Record<keyof OpenCounts, string> = {
  calls: 'Calls under way, streams not among them',
  streams: 'Watches and followed logs that are open by HTTP',
  sockets: 'Websockets that are open',
}

/** A verb may come from a client, who must not be able to make labels. */
function verbClass(verb: string): string {
  if (verb === 'get' || verb === 'list' || verb === 'watch') return verb
  return ['create', 'update', 'patch', 'delete', 'deletecollection', 'post', 'put'].includes(verb) ? 'write' : 'other'
}
