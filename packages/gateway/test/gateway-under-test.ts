import type { FastifyInstance } from 'fastify'
import { startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { createGateway } from '../src/app'
import { resolveSettings, type GatewayConfig } from '../src/config'
import type { KubernetesConfig } from '../src/upstreams/settings'
import type { Identity } from '../src/session/identity'
import { createSessions, type Sessions } from '../src/session/sessions'
import { startFakeIssuer, type FakeIssuer } from './fake-issuer'

export const gatewayToken = 'sentinel-gateway-token'
export const host = '127.0.0.1:8080'
export const origin = `http://${host}`

export const ada: Identity = {
  user: 'ada@slipway.test',
  email: 'ada@slipway.test',
  preferredUsername: 'ada',
  groups: ['team-a'],
}

export interface GatewayUnderTest {
  app: FastifyInstance
  upstream: EchoUpstream
  /** Its identity provider, unless another way to sign in is configured. */
  issuer: FakeIssuer
  clock: ManualClock
  close(): Promise<void>
}

/** `access` may omit the URL and token of the echo. */
type KubernetesOverrides = Partial<Omit<KubernetesConfig, 'access'>> & {
  access?: Partial<FlagAccess> | KubernetesConfig['access']
}
type FlagAccess = Extract<KubernetesConfig['access'], { url: string }>
export type Overrides = Partial<Omit<GatewayConfig, 'kubernetes'>> & { kubernetes?: KubernetesOverrides }

/** A gateway for `http://127.0.0.1:8080` in front of an echo, with a manual clock. */
export async function startGateway(overrides: Overrides = {}, clock = manualClock()): Promise<GatewayUnderTest> {
  const upstream = await startEchoUpstream()
  const issuer = await startFakeIssuer(clock)
  const signIn = { oidc: { issuer: issuer.url, clientId: 'slipway' } }
  const config = configFor(upstream.url, { signIn, ...overrides })
  const app = await createGateway(config, { clock })
  sessionsOf.set(app, sessionsFor(config, clock))
  return {
    app,
    upstream,
    issuer,
    clock,
    async close() {
      await app.close()
      await upstream.close()
      await issuer.close()
    },
  }
}

function accessFor(url: string, access: KubernetesOverrides['access'] = {}): KubernetesConfig['access'] {
  if ('kubeconfig' in access || 'inCluster' in access) return access
  return { url, ...(!access.tokenFile && { token: gatewayToken }), ...access }
}

export const configFor = (url: string, { kubernetes, limits, ...overrides }: Overrides = {}): GatewayConfig => ({
  host: '127.0.0.1',
  port: 8080,
  kubernetes: { as: 'impersonate', ...kubernetes, access: accessFor(url, kubernetes?.access) },
  // Sessions of `signIn` have no refresh token.
  session: { keys: [new Uint8Array(32).fill(1)], unconfirmedMs: 24 * 3_600_000 },
  // An unreachable provider, which `startGateway` replaces by its own.
  signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'slipway' } },
  // With a manual clock the rate limit would never recover.
  limits: { callBurst: 1_000_000, ...limits },
  ...overrides,
})

const sessionsOf = new WeakMap<FastifyInstance, Sessions>()

/** Sessions encrypted with the keys of a gateway, like its own. */
export function sessionsFor(config: GatewayConfig, clock: Clock): Sessions {
  const { session, isHttps } = resolveSettings(config)
  return createSessions({ ...session, isHttps }, clock)
}

/**
 * Starts a session as a sign-in does, but without a provider, and returns its `Cookie` header.
 * @param app from `startGateway`, or any other with the system time
 * @param config of any other
 */
export async function signIn(
  app: FastifyInstance,
  who: Partial<Identity> = {},
  config?: GatewayConfig,
): Promise<string> {
  const sessions = sessionsOf.get(app) ?? sessionsFor(config ?? configFor('http://127.0.0.1:1'), systemClock)
  return cookieOf(await sessions.start({ ...ada, ...who }))
}

/** The `Cookie` header for `Set-Cookie` headers. */
export const cookieOf = (setCookie: string | string[] | undefined): string =>
  [setCookie ?? []]
    .flat()
    .map((each) => each.split(';', 1)[0])
    .join('; ')

/** Headers that a page of the console sends with a write. */
export const fromOurPage = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'slipway' }

/** The same gateway listening on a port, for tests that need a real connection. */
export async function startListeningGateway(overrides: Overrides = {}) {
  const gateway = await startGateway({ port: 0, ...overrides })
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const at = new URL(url)
  return { ...gateway, origin: at.origin, host: at.host, port: Number(at.port) }
}
export type ListeningGateway = Awaited<ReturnType<typeof startListeningGateway>>
