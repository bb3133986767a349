import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayConfig, KubernetesConfig, PluginConfig, ServiceConfig } from '@slipway/gateway/config'
import { isLoopback } from '@slipway/gateway/origins'
import { StartError } from '../start-error'
import { variableOf, type FlagName, type Flags } from './flags'

/** What `slipway gateway` is to do. */
export interface GatewayOptions {
  /** Complete, but for how people sign in when it is for the owner of a kubeconfig alone. */
  config: Omit<GatewayConfig, 'signIn' | 'session' | 'log'>
  /** Absent when the gateway is for the owner of a kubeconfig alone. */
  signIn: Pick<GatewayConfig, 'signIn' | 'session'> | undefined
  signInPort: number
  drainMs: number
  logLevel: string
}

const minuteMs = 60_000

/**
 * @param builtConsole where the console is when no flag says so
 * @throws StartError with one sentence that says what to change
 */
export function gatewayOptions(flags: Flags, builtConsole: string): GatewayOptions {
  const access = accessOf(flags)
  const signIn = signInOf(flags)
  if (!signIn && !('kubeconfig' in access)) {
    throw new StartError('Say how people sign in: by --oidc-issuer, or by a proxy in front and its proof.')
  }
  const host = flags.text('host') ?? '127.0.0.1'
  if (!signIn) refuseForOwner(flags, host)
  return {
    config: {
      host,
      port: portOf(flags, 'port') ?? 8080,
      tls: tlsOf(flags),
      forwardedHops: flags.number('forwarded-hops'),
      publicOrigins: flags.list('public-origin'),
      kubernetes: {
        access,
        as: signIn ? asOf(flags) : 'own',
        ...given({ namespaceSelector: flags.text('namespace-selector') }),
      },
      namespaceLister: serviceOf(flags, 'namespace-lister'),
      tektonResults: pluginOf(flags, 'tekton-results'),
      kubeArchive: pluginOf(flags, 'kubearchive'),
      assets: assetsOf(flags, builtConsole),
      metrics: metricsOf(flags),
      limits: limitsOf(flags),
    },
    signIn: signIn && { signIn, session: sessionOf(flags) },
    signInPort: portOf(flags, 'sign-in-port') ?? 8082,
    drainMs: (flags.number('drain-seconds') ?? 10) * 1000,
    logLevel: oneOf(flags, 'log-level', ['error', 'warn', 'info', 'debug']) ?? (signIn ? 'info' : 'warn'),
  }
}

function accessOf(flags: Flags): KubernetesConfig['access'] {
  const kubeconfig = flags.text('kubeconfig')
  const url = flags.text('kubernetes-url')
  const ways = [kubeconfig !== undefined, url !== undefined, flags.isOn('in-cluster')].filter(Boolean)
  if (ways.length !== 1) {
    const many = ways.length > 1 ? ', and only one of them' : ''
    throw new StartError(`Say which cluster: --kubeconfig, --in-cluster or --kubernetes-url${many}.`)
  }
  if (kubeconfig !== undefined) return { kubeconfig, ...given({ context: flags.text('context') }) }
  if (flags.text('context') !== undefined) throw new StartError('--context goes with --kubeconfig.')
  if (url === undefined) return { inCluster: true }
  return {
    url,
    ...given({ caFile: flags.text('kubernetes-ca-file'), tokenFile: flags.text('kubernetes-token-file') }),
  }
}

const asOf = (flags: Flags) => oneOf(flags, 'as', ['impersonate', 'id-token']) ?? 'impersonate'

/** The kubeconfig's rights are lent to whoever signs in: that is nobody but its owner. */
function refuseForOwner(flags: Flags, host: string): void {
  const alone = 'With a kubeconfig alone the gateway lends your own rights'
  if (!isLoopback(host)) throw new StartError(`${alone}, so --host must be loopback; others need --oidc-issuer.`)
  if (flags.text('as') !== undefined) throw new StartError(`${alone}: --as needs --oidc-issuer.`)
}

function signInOf(flags: Flags): GatewayConfig['signIn'] | undefined {
  const issuer = flags.text('oidc-issuer')
  const secretFile = flags.text('front-proxy-secret-file')
  const names = flags.list('front-proxy-certificate-name')
  const isBehindProxy = secretFile !== undefined || names !== undefined
  if (issuer !== undefined && isBehindProxy) {
    throw new StartError('People sign in by --oidc-issuer or by a proxy in front, not by both.')
  }
  if (isBehindProxy) {
    const header = flags.text('front-proxy-secret-header') ?? 'X-Front-Proxy-Secret'
    return {
      frontProxy: given({
        secret:
          secretFile === undefined ? undefined : { header, value: secretIn(secretFile, 'front-proxy-secret-file') },
        clientCertificateNames: names,
        userFrom: oneOf(flags, 'front-proxy-user-from', ['email', 'user']),
      }),
    }
  }
  if (issuer === undefined) return undefined
  const clientId = flags.text('oidc-client-id')
  if (clientId === undefined) throw new StartError('--oidc-issuer needs --oidc-client-id.')
  const clientSecretFile = flags.text('oidc-client-secret-file')
  const prompt = flags.text('oidc-prompt')
  return {
    oidc: {
      issuer,
      clientId,
      ...given({
        clientSecret: clientSecretFile && secretIn(clientSecretFile, 'oidc-client-secret-file'),
        caFile: flags.text('oidc-ca-file'),
        scopes: flags.list('oidc-scope'),
        prompt: prompt === 'none' ? '' : prompt,
        userClaim: flags.text('oidc-user-claim'),
        groupsClaim: flags.text('oidc-groups-claim'),
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
    throw new StartError('Sessions need --session-key-file: 32 random bytes, the same ones for every replica.')
  }
  const [namespace, configMap, ...rest] = flags.text('sign-outs')?.split('/') ?? []
  if (namespace !== undefined && (!namespace || !configMap || rest.length > 0)) {
    throw new StartError('--sign-outs must be a namespace and the name of a ConfigMap, such as slipway/sign-outs.')
  }
  const inMs = (name: FlagName, unitMs: number) => {
    const count = flags.number(name)
    return count === undefined ? undefined : count * unitMs
  }
  return {
    keys: files.map(sessionKey),
    ...given({
      idleMs: inMs('session-idle-minutes', minuteMs),
      absoluteMs: inMs('session-hours', 60 * minuteMs),
      recheckMs: inMs('session-recheck-minutes', minuteMs),
      signOuts: namespace && configMap ? { namespace, configMap } : undefined,
    }),
  }
}

/** The 32 bytes themselves, or written in base64 or hexadecimal. */
function sessionKey(path: string): Uint8Array {
  const bytes = contentOf(path, 'session-key-file')
  if (bytes.length === 32) return bytes
  const text = bytes.toString('latin1').trim()
  const key = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined
  if (!key) throw new StartError(`${path} holds no session key: make one with openssl rand -base64 32.`)
  return key
}

/** Read at each use, since it may be rotated; and once now, so that a wrong path is told at the start. */
function secretIn(path: string, flag: FlagName): () => string {
  const read = () => contentOf(path, flag).toString().trim()
  if (read() === '') throw new StartError(`The file of --${flag}, ${path}, is empty.`)
  return read
}

function contentOf(path: string, flag: FlagName): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new StartError(`The file of --${flag} cannot be read: ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function tlsOf(flags: Flags): GatewayConfig['tls'] {
  const [certFile, keyFile, clientCaFile] = [flags.text('tls-cert'), flags.text('tls-key'), flags.text('tls-client-ca')]
  if (certFile && keyFile) return { certFile, keyFile, ...given({ clientCaFile }) }
  if (certFile || keyFile || clientCaFile) throw new StartError('TLS needs both --tls-cert and --tls-key.')
  return undefined
}

type Service = 'namespace-lister' | 'tekton-results' | 'kubearchive'

function serviceOf(flags: Flags, name: Service): ServiceConfig | undefined {
  const url = flags.text(name)
  return url === undefined ? undefined : { url, ...given({ caFile: flags.text(`${name}-ca-file`) }) }
}

function pluginOf(flags: Flags, name: Exclude<Service, 'namespace-lister'>): PluginConfig | undefined {
  const service = serviceOf(flags, name)
  const file = flags.text(`${name}-token-file`)
  if (!service) return undefined
  if (file !== undefined) return { ...service, token: { file } }
  if (flags.isOn('plugins-get-gateway-token')) return { ...service, token: 'gateway' }
  throw new StartError(`--${name} needs --${name}-token-file, or --plugins-get-gateway-token on purpose.`)
}

function assetsOf(flags: Flags, builtConsole: string): string {
  const assets = flags.text('assets') ?? builtConsole
  if (existsSync(join(assets, 'index.html'))) return assets
  throw new StartError(`There is no index.html in ${assets}: build the console, or name its folder with --assets.`)
}

function metricsOf(flags: Flags): GatewayConfig['metrics'] {
  const port = portOf(flags, 'metrics-port')
  if (port === undefined) return undefined
  const isOpenToNetwork = flags.isOn('metrics-open-to-network')
  return { port, isOpenToNetwork, ...given({ host: flags.text('metrics-host') }) }
}

function limitsOf(flags: Flags): NonNullable<GatewayConfig['limits']> {
  const callsPerSecond = flags.number('calls-per-second')
  return given({
    streamsPerUser: flags.number('streams-per-user'),
    callsPerUser: flags.number('calls-per-user'),
    streams: flags.number('streams'),
    callsPerSecond,
    signInsPerMinute: flags.number('sign-ins-per-minute'),
    callBurst: callsPerSecond === undefined ? undefined : callsPerSecond * 10,
  })
}

function portOf(flags: Flags, name: FlagName): number | undefined {
  const port = flags.number(name)
  if (port === undefined || port <= 65_535) return port
  throw new StartError(`--${name} must be a port number from 0 to 65535, not "${port}".`)
}

function oneOf<const T extends string>(flags: Flags, name: FlagName, words: readonly T[]): T | undefined {
  const text = flags.text(name)
  const word = words.find((each) => each === text)
  if (text !== undefined && word === undefined) {
    throw new StartError(`--${name} (${variableOf(name)}) must be ${words.join(' or ')}, not "${text}".`)
  }
  return word
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the members that are undefined: their defaults are the gateway's to know. */
const given = <T extends object>(members: T): Given<T> =>
  // What is left of T has no undefined values.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
