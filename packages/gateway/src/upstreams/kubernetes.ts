import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { decodeJwt } from 'jose'
import type { Dispatcher } from 'undici'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { ApiError } from '@slipway/kube/status'
import { checkIdentity, impersonationHeaders, type HeaderSet } from '../proxy/headers'
import { notSignedIn, HttpError } from '../http-error'
import { anonymously, type Credentials } from './connection'
import type { KubernetesSettings } from './settings'
import { createUpstream, type Caller, type Upstream, type UpstreamParts, type UserUpstream } from './upstream'

/** The Kubernetes API behind the gateway. As an upstream it is called for users; the rest is for the gateway itself. */
export interface Kubernetes extends UserUpstream {
  readonly as: KubernetesSettings['as']
  /** Calls as the gateway itself; a failure of the way there has a Refusal as its cause. */
  readonly kubeClient: KubeClient
  /** One call as the gateway itself, by a path such as `/version`; for answers that stream. */
  readonly fetch: typeof fetch
  /** Who the gateway itself is there; users may be sent with less. @throws Refusal 502 */
  ownCredentials(): Promise<Credentials>
  /** Rejects when it does not answer, or does not accept the gateway's credentials. */
  checkReady(): Promise<void>
}

export type KubernetesParts = Omit<UpstreamParts, 'name' | 'unauthorized'> & { settings: KubernetesSettings }

export function createKubernetes({ settings: { name, as, unavailable }, ...others }: KubernetesParts): Kubernetes {
  const parts = { ...others, unavailable }
  const own = createUpstream({ ...parts, name })
  // A client certificate would win over the user's token, and make everyone the gateway.
  const forUsers =
    as === 'id-token'
      ? createUpstream({
          ...parts,
          name,
          access: anonymously(parts.access),
          unauthorized: () => new HttpError(502, `${name} does not accept the ID token of the session.`),
        })
      : own
  const fetch = fetchVia(own)

  async function headersAs({ identity, idToken }: Caller, requestId: string): Promise<HeaderSet> {
    checkIdentity(identity)
    const common = { 'audit-id': requestId }
    if (as === 'id-token') return { authorization: `Bearer ${freshToken(idToken, parts.clock.now())}`, ...common }
    const headers = { ...bearer(await own.credentials()), ...common }
    return as === 'own' ? headers : { ...headers, ...impersonationHeaders(identity) }
  }

  async function statusAs(credentials: Credentials): Promise<number> {
    const { statusCode, body } = await own.send({ method: 'GET', path: '/version', headers: bearer(credentials) })
    body.on('error', () => {}).destroy()
    return statusCode
  }

  return {
    ...forUsers,
    as,
    headersAs,
    fetch,
    kubeClient: createKubeClient({ baseUrl: '', fetch, probeUrl: '/version' }),
    ownCredentials: () => own.credentials(),
    async checkReady() {
      const credentials = await own.credentials()
      const isKnown = credentials.token !== undefined || credentials.tls.cert !== undefined
      // Without an account, being refused is as good an answer as any.
      const status = isKnown ? await statusAs(credentials) : await own.statusOf('/version')
      if (status === undefined || status >= 500) throw new HttpError(503, `${name} is not ready.`)
    },
    async close() {
      await Promise.all([...new Set([own, forUsers])].map((upstream) => upstream.close()))
    },
  }
}

export const bearer = ({ token }: { token: string | undefined }): HeaderSet =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Signing in again brings a new one, so an old one is an end of the session. */
function freshToken(idToken: string | undefined, nowMs: number): string {
  if (!idToken) throw new HttpError(401, 'The session holds no ID token to call the cluster with.')
  const { exp } = decodeJwt(idToken)
  if (exp !== undefined && exp * 1000 <= nowMs) throw notSignedIn()
  return idToken
}

/** What a client reads of an answer, besides its body. */
const keptHeaders = ['content-type', 'retry-after'] as const

/** The `fetch` of a client that is the gateway itself. */
function fetchVia(upstream: Upstream): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal } = init
    const stop = new AbortController()
    if (signal?.aborted) stop.abort(signal.reason)
    signal?.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
    const answer = await upstream.send({
      // The methods of a Kubernetes client are those of HTTP.
      method: method as Dispatcher.HttpMethod,
      path: String(input),
      headers: { ...Object.fromEntries(new Headers(headers)), ...bearer(await upstream.credentials()) },
      body: typeof body === 'string' ? body : undefined,
      stop,
    })
    const { statusCode: status } = answer
    // Two of the same stream type: undici's body is a Readable of Node.
    const stream = status === 204 || status === 304 ? null : (Readable.toWeb(answer.body) as ReadableStream<Uint8Array>)
    return new Response(stream as BodyInit | null, {
      status,
      headers: keptHeaders.flatMap((name): [string, string][] => {
        const value = answer.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    })
  }
}

/** What to tell a user when a call that the gateway made for itself has failed. */
export function refusalOfOwnCall(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.cause instanceof HttpError) return error.cause
  return new HttpError(502, `${name} failed a call of the gateway (${error.code || 'no answer'}).`)
}
