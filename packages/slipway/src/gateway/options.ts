import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '@slipway/connect/loopback'
import type { ServiceConfig } from '@slipway/connect/service-config'
import type { GatewayConfig } from '@slipway/gateway/config'
import type { PluginConfig } from '@slipway/gateway/upstreams/settings'
import { clusterAccess } from '../cluster-access'
import { defined } from '../defined'
import { StartError } from '../start-error'
import type { FlagName, FlagsOf } from '../flags'

type Flags = FlagsOf<'gateway'>
type Flag = FlagName<'gateway'>

/** Parsed options of `slipway gateway`. */
export interface GatewayOptions {
  /** Complete, except for the sign-in of a gateway that only serves the owner of a kubeconfig. */
  config: Omit<GatewayConfig, 'signIn' | 'session' | 'log'>
  /** Absent if the gateway only serves the owner of a kubeconfig. */
  signIn: Pick<GatewayConfig, 'signIn' | 'session'> | undefined
  signInPort: number
  drainMs: number
  logLevel: string
}

const minuteMs = 60_000

/**
 * @param builtConsole default folder of the console
 * @throws StartError with a message that says what to change
 */
export function gatewayOptions(flags: Flags, builtConsole: string): GatewayOptions {
  const access = clusterAccess(flags)
  const signIn = signInOf(flags)
  if (!signIn && !('kubeconfig' in access)) {
    throw new StartError(
      'Choose how users sign in: with --oidc-issuer, or through a proxy with --front-proxy-secret-file or --front-proxy-certificate-name.',
    )
  }
  const host = flags.text('host') ?? '127.0.0.1'
  if (!signIn) assertOwnerOnly(flags, host)
  return {
    config: {
      host,
      port: flags.port('port') ?? 8080,
      tls: tlsOf(flags),
      plainHttp: flags.isOn('plain-http'),
      forwardedHops: flags.number('forwarded-hops'),
      publicOrigins: flags.list('public-origin'),
      kubernetes: {
        access,
        as: signIn ? asOf(flags) : 'own',
        ...defined({ namespaceSelector: flags.text('namespace-selector') }),
      },
      namespaceLister: serviceOf(flags, 'namespace-lister'),
      tektonResults: pluginOf(flags, 'tekton-results'),
      kubeArchive: pluginOf(flags, 'kubearchive'),
      views: pluginOf(flags, 'views'),
      assets: assetsOf(flags, builtConsole),
      renderMs: flags.number('render-milliseconds'),
      metrics: metricsOf(flags),
      limits: limitsOf(flags),
    },
    signIn: signIn && { signIn, session: sessionOf(flags) },
    signInPort: flags.port('sign-in-port') ?? 8082,
    drainMs: (flags.number('drain-seconds') ?? 10) * 1000,
    logLevel: flags.oneOf('log-level', ['error', 'warn', 'info', 'debug']) ?? (signIn ? 'info' : 'warn'),
  }
}

const asOf = (flags: Flags) => flags.oneOf('as', ['impersonate', 'id-token']) ?? 'impersonate'

/** Everyone who signs in gets the permissions of the kubeconfig, so only its owner may. */
function assertOwnerOnly(flags: Flags, host: string): void {
  const alone = 'With only a kubeconfig the gateway uses your own permissions'
  if (!isLoopback(host))
    throw new StartError(`${alone}, so --host must be a loopback address. To serve other users, use --oidc-issuer.`)
  if (flags.text('as') !== undefined) throw new StartError(`${alone}, so --as requires --oidc-issuer.`)
}

function signInOf(flags: Flags): GatewayConfig['signIn'] | undefined {
  const issuer = flags.text('oidc-issuer')
  const secretFile = flags.text('front-proxy-secret-file')
  const names = flags.list('front-proxy-certificate-name')
  const isBehindProxy = secretFile !== undefined || names !== undefined
  if (issuer !== undefined && isBehindProxy) {
    throw new StartError('Users can sign in with --oidc-issuer or through a proxy, but not both.')
  }
  if (isBehindProxy) {
    const header = flags.text('front-proxy-secret-header') ?? 'X-Front-Proxy-Secret'
    return {
      frontProxy: defined({
        secret:
          secretFile === undefined ? undefined : { header, value: secretIn(secretFile, 'front-proxy-secret-file') },
        clientCertificateNames: names,
        userFrom: flags.oneOf('front-proxy-user-from', ['email', 'user']),
      }),
    }
  }
  if (issuer === undefined) return undefined
  const clientId = flags.text('oidc-client-id')
  if (clientId === undefined) throw new StartError('--oidc-issuer requires --oidc-client-id.')
  const clientSecretFile = flags.text('oidc-client-secret-file')
  const prompt = flags.text('oidc-prompt')
  return {
    oidc: {
      issuer,
      clientId,
      ...defined({
        clientSecret: clientSecretFile && secretIn(clientSecretFile, 'oidc-client-secret-file'),
        caFile: flags.text('oidc-ca-file'),
        scopes: flags.list('oidc-scope'),
        prompt: prompt === 'none' ? '' : prompt,
        userClaim: flags.text('oidc-user-claim'),
        groupsClaim: flags.text('oidc-groups-claim'),
        keptGroups: flags.list('oidc-keep-group'),
        userPrefix: flags.text('oidc-user-prefix'),
        groupPrefix: flags.text('oidc-group-prefix'),
        allowedSystemNames: flags.list('oidc-allow-system-name'),
      }),
      allowUnverifiedEmail: flags.isOn('oidc-allow-unverified-email'),
    },
  }
}

function sessionOf(flags: Flags): GatewayConfig['session'] {
  const files = flags.list('session-key-file') ?? []
  if (files.length === 0) {
    throw new StartError('Sessions require --session-key-file: 32 random bytes, the same for every replica.')
  }
  const [namespace, configMap, ...rest] = flags.text('sign-outs')?.split('/') ?? []
  if (namespace !== undefined && (!namespace || !configMap || rest.length > 0)) {
    throw new StartError('--sign-outs must be the namespace and name of a ConfigMap, such as slipway/sign-outs.')
  }
  const inMs = (name: Flag, unitMs: number) => {
    const count = flags.number(name)
    return count === undefined ? undefined : count * unitMs
  }
  return {
    keys: files.map(sessionKey),
    ...defined({
      idleMs: inMs('session-idle-minutes', minuteMs),
      absoluteMs: inMs('session-hours', 60 * minuteMs),
      recheckMs: inMs('session-recheck-minutes', minuteMs),
      unconfirmedMs: inMs('session-unconfirmed-minutes', minuteMs),
      signOuts: namespace && configMap ? { namespace, configMap } : undefined,
    }),
  }
}

/** The 32 bytes themselves, or encoded in base64 or hexadecimal. */
function sessionKey(path: string): Uint8Array {
  const bytes = contentOf(path, 'session-key-file')
  if (bytes.length === 32) return bytes
  const text = bytes.toString('latin1').trim()
  const key = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined
  if (!key) throw new StartError(`${path} does not contain a session key. Create one with openssl rand -base64 32.`)
  return key
}

/** Read on each use, since it may be rotated, and once now, so that a wrong path is reported at the start. */
function secretIn(path: string, flag: Flag): () => string {
  const read = () => contentOf(path, flag).toString().trim()
  if (read() === '') throw new StartError(`The file of --${flag} is empty: ${path}.`)
  return read
}

function contentOf(path: string, flag: Flag): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new StartError(`The file of --${flag} cannot be read: ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function tlsOf(flags: Flags): GatewayConfig['tls'] {
  const [certFile, keyFile, clientCaFile] = [flags.text('tls-cert'), flags.text('tls-key'), flags.text('tls-client-ca')]
  if (certFile && keyFile) return { certFile, keyFile, ...defined({ clientCaFile }) }
  if (certFile || keyFile || clientCaFile) throw new StartError('TLS requires both --tls-cert and --tls-key.')
  return undefined
}

type Service = 'namespace-lister' | 'tekton-results' | 'kubearchive' | 'views'

function serviceOf(flags: Flags, name: Service): ServiceConfig | undefined {
  const url = flags.text(name)
  return url === undefined ? undefined : { url, ...defined({ caFile: flags.text(`${name}-ca-file`) }) }
}

function pluginOf(flags: Flags, name: Exclude<Service, 'namespace-lister'>): PluginConfig | undefined {
  const service = serviceOf(flags, name)
  const file = flags.text(`${name}-token-file`)
  if (!service) return undefined
  if (file !== undefined) return { ...service, token: { file } }
  if (flags.isOn('plugins-get-gateway-token')) return { ...service, token: 'gateway' }
  throw new StartError(
    `--${name} requires --${name}-token-file, or --plugins-get-gateway-token to send it the gateway's token.`,
  )
}

function assetsOf(flags: Flags, builtConsole: string): string {
  const assets = flags.text('assets') ?? builtConsole
  if (existsSync(join(assets, 'index.html'))) return assets
  throw new StartError(`There is no index.html in ${assets}. Build the console, or set its folder with --assets.`)
}

function metricsOf(flags: Flags): GatewayConfig['metrics'] {
  const port = flags.port('metrics-port')
  if (port === undefined) return undefined
  const isOpenToNetwork = flags.isOn('metrics-open-to-network')
  return { port, isOpenToNetwork, ...defined({ host: flags.text('metrics-host') }) }
}

function limitsOf(flags: Flags): NonNullable<GatewayConfig['limits']> {
  const callsPerSecond = flags.number('calls-per-second')
  return defined({
    streamsPerUser: flags.number('streams-per-user'),
    callsPerUser: flags.number('calls-per-user'),
    streams: flags.number('streams'),
    callsPerSecond,
    signInsPerMinute: flags.number('sign-ins-per-minute'),
    callBurst: callsPerSecond === undefined ? undefined : callsPerSecond * 10,
  })
}
