import { decodeJwt } from 'jose'
import type { Connection, Credentials } from '@slipway/connect/connection'
import { createService, type HeaderSet, type ServiceParts } from '@slipway/connect/service'
import { bearerHeader, ownCall, serviceFetch } from '@slipway/connect/service-fetch'
import { HttpError } from '@slipway/connect/http-error'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { ApiError } from '@slipway/kube/status'
import { notSignedIn } from '../http-error'
import type { KubernetesSettings } from './settings'
import { checkIdentity, impersonationHeaders, type Sender } from './outgoing'
import { createUpstream, type Upstream } from './upstream'

/** The Kubernetes API behind the gateway. As an upstream it serves users; the rest is for the gateway itself. */
export interface Kubernetes extends Upstream {
  readonly as: KubernetesSettings['as']
  /** Client with the gateway's own credentials; if the cluster cannot be reached, its errors have an HttpError as cause. */
  readonly kubeClient: KubeClient
  /** The gateway's own credentials; calls for users may not carry them. @throws HttpError 502 */
  ownCredentials(): Promise<Credentials>
  /** Rejects if the API does not respond or does not accept the gateway's credentials. */
  checkReady(): Promise<void>
}

export type KubernetesParts = Omit<ServiceParts, 'name' | 'unauthorized'> & {
  settings: KubernetesSettings
}

export function createKubernetes({ settings: { name, as, unavailable }, ...others }: KubernetesParts): Kubernetes {
  const parts = { ...others, unavailable }
  const own = createService({ ...parts, name })
  // A client certificate would take precedence over the user's token, and every user would act as the gateway.
  const forUsers =
    as === 'id-token'
      ? createService({
          ...parts,
          name,
          connection: withoutCredentials(parts.connection),
          unauthorized: () => new HttpError(502, `${name} does not accept the ID token of the session.`),
        })
      : own

  function identify({ caller: { identity, idToken } }: Sender, credentials: Credentials): HeaderSet {
    checkIdentity(identity)
    if (as === 'id-token') return bearerHeader({ token: assertValidIdToken(idToken, parts.clock.now()) })
    return { ...bearerHeader(credentials), ...(as === 'impersonate' && impersonationHeaders(identity)) }
  }

  async function statusOfOwnCall(): Promise<number> {
    const { statusCode, body } = await own.send({
      method: 'GET',
      path: '/version',
      outgoing: await ownCall(own),
    })
    body.on('error', () => {}).destroy()
    return statusCode
  }

  return {
    ...createUpstream(forUsers, identify),
    as,
    kubeClient: createKubeClient({ baseUrl: '', fetch: serviceFetch(own), probeUrl: '/version' }),
    ownCredentials: () => own.credentials(),
    async checkReady() {
      const credentials = await own.credentials()
      const isKnown = credentials.token !== undefined || credentials.tls.cert !== undefined
      // Without credentials, any response shows that the cluster is up, even a rejection.
      const status = isKnown ? await statusOfOwnCall() : await own.probeStatus('/version')
      if (status === undefined || status >= 500) throw new HttpError(503, `${name} is not ready.`)
    },
    async close() {
      await Promise.all([...new Set([own, forUsers])].map((service) => service.close()))
    },
  }
}

/** The same connection without the gateway's credentials, for calls that carry the user's own token. */
const withoutCredentials = (connection: Connection): Connection => ({
  url: connection.url,
  async credentials() {
    const { cert: _cert, key: _key, ...tls } = (await connection.credentials()).tls
    return { tls, token: undefined }
  },
  invalidate: () => {},
})

/** Signing in again provides a new ID token, so an expired one ends the session. */
function assertValidIdToken(idToken: string | undefined, nowMs: number): string {
  if (!idToken) throw new HttpError(401, 'The session has no ID token for calls to the cluster.')
  const { exp } = decodeJwt(idToken)
  if (exp !== undefined && exp * 1000 <= nowMs) throw notSignedIn()
  return idToken
}

/** The error to show a user when one of the gateway's own calls has failed. */
export function toGatewayCallError(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.cause instanceof HttpError) return error.cause
  return new HttpError(502, `A call of the gateway to ${name} failed (${error.code || 'no response'}).`)
}
