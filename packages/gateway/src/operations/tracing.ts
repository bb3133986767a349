import type { IncomingHttpHeaders } from 'node:http'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { HeaderSet } from '@slipway/connect/service'
import type { ApiCall } from '../gateway-request'

/** The part of a request in a distributed trace. Without an SDK in this process, the trace of the client is passed on. */
export interface RequestTrace {
  /** Sent with every call that is made for the request. */
  headers: HeaderSet
  /** For the log; `undefined` if the request is part of no trace. */
  id: string | undefined
  /** The response has started, or is complete; only the first call counts. */
  end(status: number): void
}

/** Source: W3C, "Trace Context", section 3.2. */
const traceparentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/
/** The length up to which vendors must pass it on; Source: section 3.3.1.5. */
const maxStateLength = 512

/**
 * Starts the span of a request. An operator provides the SDK, which records it; without one, nothing is recorded.
 * No attribute contains a user, a path or an object: those go to the log.
 */
export function startTrace(method: string, call: ApiCall, received: IncomingHttpHeaders): RequestTrace {
  const { upstream = 'none', verb, resource } = call
  const parent = propagation.extract(context.active(), received)
  const span = trace.getTracer('slipway').startSpan(
    resource === undefined ? verb : `${verb} ${resource}`,
    {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'slipway.upstream': upstream, 'slipway.verb': verb },
    },
    parent,
  )
  const headers: HeaderSet = {}
  propagation.inject(trace.setSpan(parent, span), headers)
  const sent = Object.keys(headers).length > 0 ? headers : clientTrace(received)
  let hasEnded = false
  return {
    headers: sent,
    id: traceparentPattern.exec(String(sent['traceparent']))?.[1],
    end(status) {
      if (hasEnded) return
      hasEnded = true
      span.setAttribute('http.response.status_code', status)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** The trace that the client names, if it does so correctly. */
function clientTrace({ traceparent, tracestate }: IncomingHttpHeaders): HeaderSet {
  if (typeof traceparent !== 'string' || !traceparentPattern.test(traceparent)) return {}
  const hasState = typeof tracestate === 'string' && tracestate.length <= maxStateLength
  return { traceparent, ...(hasState && { tracestate }) }
}
