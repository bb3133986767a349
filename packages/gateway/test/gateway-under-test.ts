import type { FastifyInstance } from 'fastify'
import { createGateway } from '../src/app'
import type { GatewayConfig, LocalUser } from '../src/config'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { startEchoUpstream, type EchoUpstream } from './echo-upstream'

export const gatewayToken = 'sentinel-gateway-token'
export const host = '127.0.0.1:8080'
export const origin = `http://${host}`

export const ada: LocalUser = { name: 'ada', email: 'ada@slipway.test', groups: ['team-a'], description: 'Tests.' }

export interface GatewayUnderTest {
  app: FastifyInstance
  upstream: EchoUpstream
  clock: ManualClock
  close(): Promise<void>
}

export type Overrides = Partial<Omit<GatewayConfig, 'upstream'>> & { upstream?: Partial<GatewayConfig['upstream']> }

/** A gateway for `http://127.0.0.1:8080` in front of an echo, in which time stands still. */
export async function startGateway(overrides: Overrides = {}): Promise<GatewayUnderTest> {
  const upstream = await startEchoUpstream()
  const clock = manualClock()
  const app = await createGateway(configFor(upstream.url, overrides), { clock })
  return {
    app,
    upstream,
    clock,
    async close() {
      await app.close()
      await upstream.close()
    },
  }
}

export const configFor = (url: string, { upstream, ...overrides }: Overrides = {}): GatewayConfig => ({
  host: '127.0.0.1',
  port: 8080,
  upstream: { url, token: gatewayToken, impersonate: true, ...upstream },
  session: { keys: [new Uint8Array(32).fill(1)] },
  localUsers: [ada],
  ...overrides,
})

/** Signs in and answers the `Cookie` header of the session. */
export async function signIn(app: FastifyInstance, email = ada.email, at = host): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/oauth2/sign_in',
    headers: { host: at, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ user: email, rd: '/' }).toString(),
  })
  if (response.statusCode !== 303) throw new Error(`sign-in answered ${response.statusCode}: ${response.body}`)
  return cookieOf(response.headers['set-cookie'])
}

/** The `Cookie` header for a `Set-Cookie`. */
export const cookieOf = (setCookie: string | string[] | undefined): string =>
  String([setCookie].flat()[0] ?? '').split(';', 1)[0] ?? ''

/** What a page of the console sends with a write. */
export const fromOurPage = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'slipway' }

/** The same gateway on a port of its own, for what only a real connection shows. */
export async function startListeningGateway(overrides: Overrides = {}) {
  const gateway = await startGateway({ port: 0, ...overrides })
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const at = new URL(url)
  return { ...gateway, origin: at.origin, host: at.host, port: Number(at.port) }
}
export type ListeningGateway = Awaited<ReturnType<typeof startListeningGateway>>
