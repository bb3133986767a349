import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { decodeJwt } from 'jose'
import type { Dispatcher } from 'undici'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { ApiError } from '@slipway/kube/status'
import { notSignedIn, HttpError } from '../http-error'
import { withoutCredentials, type Credentials } from './connection'
import type { KubernetesSettings } from './settings'
import { bearerHeader, checkIdentity, impersonationHeaders, type HeaderSet, type Sender } from './outgoing'
import { createUpstream, type Upstream, type UpstreamParts } from './upstream'

/** The Kubernetes API behind the gateway. As an upstream it serves users; the rest is for the gateway itself. */
export interface Kubernetes extends Upstream {
  readonly as: KubernetesSettings['as']
  /** Client with the gateway's own credentials; if the cluster cannot be reached, its errors have an HttpError as cause. */
  readonly kubeClient: KubeClient
  /** A call with the gateway's own credentials by a path such as `/version`, for streaming responses. */
  readonly fetch: typeof fetch
  /** The gateway's own credentials; calls for users may not carry them. @throws HttpError 502 */
  ownCredentials(): Promise<Credentials>
  /** Rejects if the API does not respond or does not accept the gateway's credentials. */
  checkReady(): Promise<void>
}

export type KubernetesParts = Omit<UpstreamParts, 'name' | 'unauthorized' | 'identify'> & {
  settings: KubernetesSettings
}

export function createKubernetes({ settings: { name, as, unavailable }, ...others }: KubernetesParts): Kubernetes {
  const parts = { ...others, unavailable }
  const own = createUpstream({ ...parts, name, identify })
  // A client certificate would take precedence over the user's token, and every user would act as the gateway.
  const forUsers =
    as === 'id-token'
      ? createUpstream({
          ...parts,
          name,
          connection: withoutCredentials(parts.connection),
          identify,
          unauthorized: () => new HttpError(502, `${name} does not accept the ID token of the session.`),
        })
      : own
  const fetch = fetchVia(own)

  function identify(sender: Sender, credentials: Credentials): HeaderSet {
    if (typeof sender === 'string') return bearerHeader(credentials)
    const { identity, idToken } = sender.caller
    checkIdentity(identity)
    if (as === 'id-token') return bearerHeader({ token: assertValidIdToken(idToken, parts.clock.now()) })
    return { ...bearerHeader(credentials), ...(as === 'impersonate' && impersonationHeaders(identity)) }
  }

  async function statusOfOwnCall(): Promise<number> {
    const { statusCode, body } = await own.send({
      method: 'GET',
      path: '/version',
      outgoing: await own.outgoing('gateway'),
    })
    body.on('error', () => {}).destroy()
    return statusCode
  }

  return {
    ...forUsers,
    as,
    fetch,
    kubeClient: createKubeClient({ baseUrl: '', fetch, probeUrl: '/version' }),
    ownCredentials: () => own.credentials(),
    async checkReady() {
      const credentials = await own.credentials()
      const isKnown = credentials.token !== undefined || credentials.tls.cert !== undefined
      // Without credentials, any response shows that the cluster is up, even a rejection.
      const status = isKnown ? await statusOfOwnCall() : await own.probeStatus('/version')
      if (status === undefined || status >= 500) throw new HttpError(503, `${name} is not ready.`)
    },
    async close() {
      await Promise.all([...new Set([own, forUsers])].map((upstream) => upstream.close()))
    },
  }
}

/** Signing in again provides a new ID token, so an expired one ends the session. */
function assertValidIdToken(idToken: string | undefined, nowMs: number): string {
  if (!idToken) throw new HttpError(401, 'The session has no ID token for calls to the cluster.')
  const { exp } = decodeJwt(idToken)
  if (exp !== undefined && exp * 1000 <= nowMs) throw notSignedIn()
  return idToken
}

/** Response headers that the client reads. */
const forwardedHeaders = ['content-type', 'retry-after'] as const

/** A `fetch` with the gateway's own credentials. */
function fetchVia(upstream: Upstream): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal } = init
    const stop = new AbortController()
    if (signal?.aborted) stop.abort(signal.reason)
    signal?.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
    const response = await upstream.send({
      // A Kubernetes client uses HTTP methods.
      method: method as Dispatcher.HttpMethod,
      path: String(input),
      outgoing: await upstream.outgoing('gateway', { headers: Object.fromEntries(new Headers(headers)) }),
      body: typeof body === 'string' ? body : undefined,
      stop,
    })
    const { statusCode: status } = response
    // undici's body is a Node Readable; the types of its web stream are equivalent.
    const stream =
      status === 204 || status === 304 ? null : (Readable.toWeb(response.body) as ReadableStream<Uint8Array>)
    return new Response(stream as BodyInit | null, {
      status,
      headers: forwardedHeaders.flatMap((name): [string, string][] => {
        const value = response.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    })
  }
}

/** The error to show a user when one of the gateway's own calls has failed. */
export function toGatewayCallError(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.cause instanceof HttpError) return error.cause
  return new HttpError(502, `A call of the gateway to ${name} failed (${error.code || 'no response'}).`)
}
