import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'

/** The bearer token of a service account, renewed before it expires. */
export interface ServiceAccountToken {
  /** The currently valid token. */
  current(): string
  close(): void
}

interface Options {
  /** Client that may create tokens. */
  system: KubeClient
  namespace: string
  name: string
  clock?: Clock
}

const lifetimeSeconds = 24 * 3_600
/** Fraction of the lifetime after which a token is renewed, as in kubelets. */
const renewAfter = 0.8
const retryMs = 60_000
/** These clients work sequentially: one call without a response must not block the others for a minute. */
const timeoutMs = 15_000

export async function serviceAccountToken({
  system,
  namespace,
  name,
  clock = systemClock,
}: Options): Promise<ServiceAccountToken> {
  const request = () => system.createToken(namespace, name, lifetimeSeconds)
  let token = await request()
  let cancel = renewIn(lifetimeSeconds * 1_000 * renewAfter)

  function renewIn(delayMs: number) {
    return clock.after(delayMs, () => void renew())
  }
  async function renew() {
    const next = await request().catch(() => undefined)
    if (next) token = next
    cancel = renewIn(next ? lifetimeSeconds * 1_000 * renewAfter : retryMs)
  }

  return { current: () => token, close: () => cancel() }
}

/** Calls the API as the service account, over the network like any client. */
export const clientWith = (apiUrl: string, token: ServiceAccountToken): KubeClient =>
  createKubeClient({
    baseUrl: apiUrl,
    probeUrl: `${apiUrl}/livez`,
    timeoutMs,
    fetch(input, init) {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token.current()}`)
      return fetch(input, { ...init, headers })
    },
  })
