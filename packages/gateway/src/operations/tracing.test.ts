import { once } from 'node:events'
import { Writable } from 'node:stream'
import {
  context,
  propagation,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type TextMapPropagator,
  type Tracer,
} from '@opentelemetry/api'
import { json } from '@slipway/connect/testing'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const tracestate = 'vendor=value'
const pods = '/api/k8s/api/v1/namespaces/a/pods'

let gateway: ListeningGateway
let lines: Record<string, unknown>[]
let cookie: string
beforeEach(async () => {
  lines = []
  const log = pino(new Writable({ write: (chunk, _, done) => (lines.push(JSON.parse(String(chunk))), done()) }))
  gateway = await startListeningGateway({ log })
  cookie = await signIn(gateway.app)
})
afterEach(() => gateway.close())

/** The body is read, or else the connection would stay busy, and the gateway would wait for it when it closes. */
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.origin}${path}`, { headers: { cookie, ...headers } })
  await response.arrayBuffer()
  return response
}
/** Values of a header as the cluster received it last. */
const received = (name: string) => gateway.upstream.seen.at(-1)?.headers.filter(([each]) => each === name)
const openSocket = async (headers: Record<string, string>) => {
  const { host, origin } = gateway
  const socket = new WebSocket(`ws://${host}/wss/k8s/api/v1/pods?watch=true`, {
    headers: { cookie, origin, ...headers },
  })
  await once(socket, 'open')
  return socket
}

describe('without an SDK', () => {
  it('the trace of the client reaches the cluster and the log', async () => {
    await get(pods, { traceparent, tracestate })
    expect([received('traceparent'), received('tracestate')]).toEqual([
      [['traceparent', traceparent]],
      [['tracestate', tracestate]],
    ])
    await expect.poll(() => lines.at(-1)).toMatchObject({ msg: 'request', traceId })
    await get(pods)
    expect(received('traceparent')).toEqual([])
    await expect.poll(() => lines.at(-1)).not.toHaveProperty('traceId')
  })

  test.each([
    ['is malformed', { traceparent: '00-1-1-01', tracestate }],
    ['is in upper case', { traceparent: traceparent.toUpperCase(), tracestate }],
    ['has no parent', { tracestate }],
  ])('a trace that %s is dropped', async (_, headers: Record<string, string>) => {
    await get(pods, headers)
    expect([received('traceparent'), received('tracestate')]).toEqual([[], []])
  })

  it('a state that is too long is dropped, and the trace continues', async () => {
    await get(pods, { traceparent, tracestate: `vendor=${'a'.repeat(600)}` })
    expect([received('traceparent'), received('tracestate')]).toEqual([[['traceparent', traceparent]], []])
  })

  it('the trace of a websocket reaches the cluster and the log', async () => {
    const socket = await openSocket({ traceparent })
    expect(received('traceparent')).toEqual([['traceparent', traceparent]])
    socket.close()
    await expect.poll(() => lines.at(-1)).toMatchObject({ msg: 'websocket', traceId })
  })
})

interface Recorded {
  name: string
  parent: SpanContext | undefined
  attributes: Attributes
  isError: boolean
  hasEnded: boolean
}

describe('with an SDK', () => {
  let spans: Recorded[]

  /** The least that an SDK does. */
  beforeEach(() => {
    spans = []
    const startSpan: Tracer['startSpan'] = (name, options, parentContext = context.active()) => {
      const parent = trace.getSpanContext(parentContext)
      const recorded: Recorded = {
        name,
        parent,
        attributes: { ...options?.attributes },
        isError: false,
        hasEnded: false,
      }
      spans.push(recorded)
      const id = String(spans.length).padStart(16, '0')
      const span: Span = Object.assign(
        trace.wrapSpanContext({ traceId: parent?.traceId ?? 'f'.repeat(32), spanId: id, traceFlags: 1 }),
        {
          setAttribute: (key: string, value: string) => ((recorded.attributes[key] = value), span),
          setStatus: ({ code }: { code: SpanStatusCode }) => ((recorded.isError = code === SpanStatusCode.ERROR), span),
          end: () => void (recorded.hasEnded = true),
        },
      )
      return span
    }
    // The gateway starts spans in no other way.
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer })
    propagation.setGlobalPropagator(traceContext)
  })
  afterEach(() => {
    trace.disable()
    propagation.disable()
  })

  /** As in the W3C's recommendation. */
  const traceContext: TextMapPropagator<Record<string, string>> = {
    fields: () => ['traceparent'],
    extract(into: Context, carrier) {
      const [, id, spanId] = /^00-(\w{32})-(\w{16})-/.exec(carrier['traceparent'] ?? '') ?? []
      return id && spanId ? trace.setSpanContext(into, { traceId: id, spanId, traceFlags: 1, isRemote: true }) : into
    },
    inject(from: Context, carrier) {
      const span = trace.getSpanContext(from)
      if (span) carrier['traceparent'] = `00-${span.traceId}-${span.spanId}-01`
    },
  }

  it('a request has a span in the trace of the client, to which the call of the cluster belongs', async () => {
    await get(pods, { traceparent })
    const sent = `00-${traceId}-0000000000000001-01`
    expect(received('traceparent')).toEqual([['traceparent', sent]])
    await expect
      .poll(() => spans)
      .toEqual([
        {
          name: 'list pods',
          parent: expect.objectContaining({ traceId, spanId: '00f067aa0ba902b7' }),
          attributes: {
            'http.request.method': 'GET',
            'http.response.status_code': 200,
            'slipway.upstream': 'kubernetes',
            'slipway.verb': 'list',
          },
          isError: false,
          hasEnded: true,
        },
      ])
    await expect.poll(() => lines.at(-1)).toMatchObject({ traceId })
  })

  it('a request starts a trace where the client has none, and a failure is an error', async () => {
    gateway.upstream.respond = (_request, response) => response.destroy()
    await get(`${pods}/secret-name`)
    await expect
      .poll(() => spans)
      .toMatchObject([{ name: 'get pods', parent: undefined, isError: true, hasEnded: true }])
    expect(JSON.stringify(spans)).not.toMatch(/secret-name|slipway\.test/)
  })

  it('the span of a stream ends when it has started', async () => {
    gateway.upstream.respond = (_request, response) => void response.writeHead(200).write('{}\n')
    const stop = new AbortController()
    const watch = await fetch(`${gateway.origin}/api/k8s/api/v1/pods?watch=true`, {
      headers: { cookie },
      signal: stop.signal,
    })
    expect(watch.status).toBe(200)
    expect(spans).toMatchObject([{ name: 'watch pods', hasEnded: true }])
    stop.abort()
    const socket = await openSocket({})
    expect(spans.at(-1)).toMatchObject({ name: 'watch pods', hasEnded: true })
    expect(received('traceparent')).toEqual([['traceparent', expect.stringContaining('-0000000000000002-')]])
    socket.terminate()
  })

  it('what the gateway answers itself has no span', async () => {
    gateway.upstream.respond = json({})
    await get('/health')
    await get('/oauth2/userinfo')
    expect(spans).toEqual([])
  })
})
