import { ConfigError } from '@slipway/connect/config-error'
import type { SettingName } from '@slipway/gateway/setting'

/** A problem that the user at the terminal can fix. The message says what is wrong and what to do. */
export class StartError extends Error {}

/** Flags and phrases for the gateway's settings in error messages. */
const flagNames: Partial<Record<string, string>> = {
  'kubernetes.access kubeconfig': '--kubeconfig',
  'kubernetes.access inCluster': '--in-cluster',
  "kubernetes.as 'id-token'": '--as id-token',
  "kubernetes.as 'own'": 'a kubeconfig alone',
  'kubernetes.access': '--kubernetes-url',
  'signIn.oidc.issuer': '--oidc-issuer',
  'signIn.oidc.clientId': '--oidc-client-id',
  'signIn.oidc.clientSecret': '--oidc-client-secret-file',
  'signIn.oidc.keptGroups': '--oidc-keep-group',
  'signIn.oidc.scopes': '--oidc-scope',
  'signIn.oidc': '--oidc-issuer',
  'signIn.frontProxy.secret.header': '--front-proxy-secret-header',
  'signIn.frontProxy.secret.value': 'the content of --front-proxy-secret-file',
  'signIn.frontProxy.clientCertificateNames': '--front-proxy-certificate-name',
  'signIn.frontProxy': 'sign-in through a proxy',
  'session.idleMs': '--session-idle-minutes',
  'session.absoluteMs': '--session-hours',
  'session.recheckMs': '--session-recheck-minutes',
  'session.unconfirmedMs': '--session-unconfirmed-minutes',
  'tls.clientCaFile': '--tls-client-ca',
  tls: '--tls-cert and --tls-key',
  plainHttp: '--plain-http',
  publicOrigins: '--public-origin',
  namespaceLister: '--namespace-lister',
  tektonResults: '--tekton-results',
  kubeArchive: '--kubearchive',
  views: '--views',
  'metrics.host': '--metrics-host',
  'metrics.isOpenToNetwork': '--metrics-open-to-network',
  'limits.callsPerSecond': '--calls-per-second',
  'limits.callsPerUser': '--calls-per-user',
  'limits.streamsPerUser': '--streams-per-user',
  'limits.signInsPerMinute': '--sign-ins-per-minute',
  'limits.streams': '--streams',
  forwardedHops: '--forwarded-hops',
} satisfies Partial<Record<SettingName, string>>

/** Turns an invalid configuration of the gateway into a StartError that names the flags; returns other errors unchanged. */
export function toStartError(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error
  const message = error.messageWith((setting) => flagNames[setting] ?? setting)
  return new StartError(`${message.charAt(0).toUpperCase()}${message.slice(1)}`, { cause: error })
}
