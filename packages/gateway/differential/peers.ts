import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Program } from './builds'
import { start, type Running } from './processes'

/** The Dex client of both sides and the script, with the name `oauth2-proxy` as in the real deployment. */
export const client = { id: 'oauth2-proxy', secret: 'sentinel-client-secret' }
/** Another client of the same Dex, whose tokens are not valid for either side. */
export const otherClient = { id: 'other', secret: 'sentinel-other-secret' }
export const password = 'password'
/** The cluster token of Caddy and the gateway. */
export const clusterToken = 'sentinel-cluster-token'

interface ProcessOptions {
  /** For configurations and logs. */
  folder: string
  port: number
}

/**
 * Starts Dex with a login form for Ada, who has no groups, and two connectors for others: one takes the user from a
 * header, as behind a proxy, the other also adds groups that no user should have.
 */
export async function startDex(
  program: Program,
  { folder, port }: ProcessOptions,
  redirectURIs: string[],
): Promise<Running> {
  const config = {
    issuer: issuerAt(port),
    storage: { type: 'memory' },
    web: { http: `127.0.0.1:${port}` },
    oauth2: { skipApprovalScreen: true, alwaysShowLoginScreen: true, passwordConnector: 'local' },
    enablePasswordDB: true,
    staticPasswords: [
      // The hash of the password above.
      { email: 'ada@slipway.test', username: 'ada', userID: 'u-ada', hash: hashOfPassword },
    ],
    connectors: [
      { type: 'authproxy', id: 'groups', name: 'Groups', config: { userHeader: 'X-Person' } },
      {
        type: 'authproxy',
        id: 'hostile',
        name: 'Hostile groups',
        config: { userHeader: 'X-Person', staticGroups: ['team-a', 'system:masters', 'team-b,system:nodes'] },
      },
    ],
    staticClients: [client, otherClient].map(({ id, secret }) => ({ id, secret, name: id, redirectURIs })),
  }
  const file = join(folder, 'dex.json')
  await writeFile(file, JSON.stringify(config))
  return start(program.path, ['serve', file], {
    url: `${issuerAt(port)}/healthz`,
    log: join(folder, 'dex.log'),
  })
}

export const issuerAt = (port: number): string => `http://127.0.0.1:${port}/idp`
const hashOfPassword = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W'

/** Flags for both ways of running oauth2-proxy. The cookie's name and `Secure` are those of the real deployment. */
const proxyFlags = (origin: string) => [
  `--cookie-secret=${'0123456789abcdef'.repeat(2)}`,
  '--cookie-name=__Host-konflux-ci-cookie',
  '--cookie-secure=true',
  '--email-domain=*',
  '--skip-provider-button=true',
  '--skip-jwt-bearer-tokens=true',
  `--redirect-url=${origin}/oauth2/callback`,
  `--whitelist-domain=${new URL(origin).host}`,
]

/** Starts oauth2-proxy for Caddy's check of each request, with the options of the real deployment. */
export async function startOauth2Proxy(
  program: Program,
  { folder, port }: ProcessOptions,
  { issuer, origin }: { issuer: string; origin: string },
): Promise<Running> {
  const args = [
    `--http-address=127.0.0.1:${port}`,
    '--provider=oidc',
    `--oidc-issuer-url=${issuer}`,
    `--client-id=${client.id}`,
    `--client-secret=${client.secret}`,
    '--scope=openid email profile groups',
    '--prompt=login',
    '--set-xauthrequest=true',
    ...proxyFlags(origin),
  ]
  return start(program.path, args, { url: `http://127.0.0.1:${port}/ping`, log: join(folder, 'oauth2-proxy.log') })
}

/** Starts oauth2-proxy in front of the gateway: it sends the user and authenticates itself with a secret header. */
export async function startFront(
  program: Program,
  { folder, port }: ProcessOptions,
  { issuer, gateway, secret }: { issuer: string; gateway: string; secret: { header: string; value: string } },
): Promise<Running> {
  const secretFile = join(folder, 'front-proxy-secret')
  await writeFile(secretFile, secret.value)
  const config = {
    upstreamConfig: { proxyRawPath: true, upstreams: [{ id: 'slipway', path: '/', uri: gateway }] },
    injectRequestHeaders: [
      { name: 'X-Auth-Request-User', values: [{ claim: 'user' }] },
      { name: 'X-Auth-Request-Email', values: [{ claim: 'email' }] },
      { name: 'X-Auth-Request-Groups', values: [{ claim: 'groups' }] },
      { name: 'X-Auth-Request-Preferred-Username', values: [{ claim: 'preferred_username' }] },
      { name: secret.header, values: [{ fromFile: secretFile }] },
    ],
    server: { bindAddress: `127.0.0.1:${port}` },
    providers: [
      {
        id: 'dex',
        provider: 'oidc',
        clientID: client.id,
        clientSecret: client.secret,
        scope: 'openid email profile groups',
        loginURLParameters: [{ name: 'prompt', default: ['login'] }],
        oidcConfig: { issuerURL: issuer, emailClaim: 'email', groupsClaim: 'groups', audienceClaims: ['aud'] },
      },
    ],
  }
  const file = join(folder, 'front.yaml')
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config))
  // Calls get a 401, pages a redirect to sign-in.
  const args = [`--alpha-config=${file}`, '--api-route=^/(api|wss)/', ...proxyFlags(`http://127.0.0.1:${port}`)]
  return start(program.path, args, { url: `http://127.0.0.1:${port}/ping`, log: join(folder, 'front.log') })
}
