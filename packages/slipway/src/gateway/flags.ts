import { parseArgs } from 'node:util'
import { StartError } from '../start-error'
import { flagFailure } from '../options'

interface Flag {
  /** Placeholder of the value in the help; absent for a boolean flag. */
  value?: string
  isRepeated?: true
  help: string
}

/** All options of `slipway gateway`, in the order and groups of the help. */
const groups = {
  'Cluster (choose one of three ways)': {
    kubeconfig: { value: 'file', help: 'a kubeconfig, or several as in KUBECONFIG; exec plugins are supported' },
    context: { value: 'name', help: 'context of the kubeconfig; default: its current one' },
    'in-cluster': { help: "use the service account of the gateway's pod" },
    'kubernetes-url': { value: 'url', help: 'URL of the API server' },
    'kubernetes-ca-file': { value: 'file', help: "CA certificates to trust for it; default: the system's" },
    'kubernetes-token-file': { value: 'file', help: "the gateway's own token; reloaded when it changes" },
    as: { value: 'way', help: 'how calls are made as the user: impersonate (default) or id-token' },
    'namespace-selector': { value: 'labels', help: 'namespaces to list, such as example.com/type=tenant' },
  },
  Services: {
    'namespace-lister': { value: 'url', help: 'service that lists namespaces; default: access reviews' },
    'namespace-lister-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
    'tekton-results': { value: 'url', help: 'URL of the Tekton Results API' },
    'tekton-results-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
    'tekton-results-token-file': { value: 'file', help: 'its own token' },
    kubearchive: { value: 'url', help: 'URL of the KubeArchive API' },
    'kubearchive-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
    'kubearchive-token-file': { value: 'file', help: 'its own token' },
    'plugins-get-gateway-token': { help: "send the gateway's own token to those without a token file" },
  },
  'Sign-in with OpenID Connect': {
    'oidc-issuer': { value: 'url', help: 'issuer URL, exactly as the provider reports it' },
    'oidc-client-id': { value: 'id', help: 'client ID of the gateway' },
    'oidc-client-secret-file': { value: 'file', help: 'client secret; without it the gateway is a public client' },
    'oidc-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
    'oidc-scope': { value: 'scope', isRepeated: true, help: 'default: openid email profile groups offline_access' },
    'oidc-prompt': { value: 'prompt', help: 'default: login; none for no prompt' },
    'oidc-user-claim': { value: 'claim', help: "the user's name in the cluster; default: email" },
    'oidc-groups-claim': { value: 'claim', help: 'default: groups' },
    'oidc-user-prefix': { value: 'text', help: 'prefix of every user name, such as oidc:' },
    'oidc-group-prefix': { value: 'text', help: 'prefix of every group' },
    'oidc-allow-system-name': { value: 'name', isRepeated: true, help: 'a user name starting with system: to allow' },
    'oidc-allow-unverified-email': { help: 'accept e-mail addresses that the provider has not verified' },
  },
  'Sign-in through a proxy': {
    'front-proxy-secret-file': { value: 'file', help: 'secret that the proxy sends with each request' },
    'front-proxy-secret-header': { value: 'name', help: 'header of the secret; default: X-Front-Proxy-Secret' },
    'front-proxy-certificate-name': {
      value: 'name',
      isRepeated: true,
      help: "or the name in the proxy's client certificate",
    },
    'front-proxy-user-from': { value: 'field', help: 'email (default) or user' },
  },
  Sessions: {
    'session-key-file': { value: 'file', isRepeated: true, help: '32 random bytes; the first encrypts, all decrypt' },
    'session-idle-minutes': { value: 'number', help: 'idle sessions expire after this; default: 480' },
    'session-hours': { value: 'number', help: 'all sessions expire after this; default: 24' },
    'session-recheck-minutes': {
      value: 'number',
      help: 'how often sessions are refreshed with the provider; default: 5',
    },
    'sign-outs': { value: 'namespace/name', help: 'ConfigMap through which replicas share sign-outs' },
  },
  Listening: {
    host: { value: 'address', help: 'default: 127.0.0.1' },
    port: { value: 'number', help: 'default: 8080' },
    'public-origin': {
      value: 'origin',
      isRepeated: true,
      help: 'URL in browsers, such as https://console.example.com',
    },
    'forwarded-hops': { value: 'number', help: 'number of proxies that add to X-Forwarded-For; default: 0' },
    'tls-cert': { value: 'file', help: 'serve TLS with this certificate; reloaded when it changes' },
    'tls-key': { value: 'file', help: 'private key of the certificate' },
    'tls-client-ca': { value: 'file', help: 'CA certificates for client certificates of a proxy' },
    assets: { value: 'folder', help: 'the built console; default: the one built with this command' },
    'sign-in-port': { value: 'number', help: 'port of the sign-in page, with only a kubeconfig; default: 8082' },
  },
  Operation: {
    'metrics-port': { value: 'number', help: 'serve /metrics for Prometheus on this port' },
    'metrics-host': { value: 'address', help: 'default: 127.0.0.1' },
    'metrics-open-to-network': { help: 'allow a non-loopback metrics host; metrics need no sign-in' },
    'drain-seconds': { value: 'number', help: 'keep serving after SIGTERM until load balancers notice; default: 10' },
    'streams-per-user': { value: 'number', help: 'limit of watches and log streams per user; default: 64' },
    'calls-per-user': { value: 'number', help: 'limit of other concurrent calls per user; default: 128' },
    streams: { value: 'number', help: 'limit of watches and log streams in total; default: 10000' },
    'calls-per-second': { value: 'number', help: 'rate per user, with bursts of ten times as many; default: 50' },
    'sign-ins-per-minute': { value: 'number', help: 'limit per client address; default: 120' },
    'log-level': { value: 'level', help: 'error, warn, info or debug; default: info, or warn with only a kubeconfig' },
    help: { help: 'show this help' },
  },
} as const satisfies Record<string, Record<string, Flag>>

type Groups = typeof groups
export type FlagName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

const all = Object.values(groups).flatMap((flags) => Object.entries<Flag>(flags))

/** Names of all flags without the dashes, in the order of the help. */
export const flagNames: readonly string[] = all.map(([name]) => name)

/** The environment variable of a flag. */
export const variableOf = (name: string): string => `SLIPWAY_${name.toUpperCase().replaceAll('-', '_')}`

export interface Flags {
  text(name: FlagName): string | undefined
  list(name: FlagName): string[] | undefined
  isOn(name: FlagName): boolean
  /** A whole number. */
  number(name: FlagName): number | undefined
}

/**
 * Parses flags and, for missing ones, their environment variables.
 * @throws StartError for invalid flags and values
 */
export function flagsOf(args: string[], env: NodeJS.ProcessEnv): Flags {
  const values = parsed(args)
  const fromEnv = (name: string) => env[variableOf(name)] || undefined
  const flags: Flags = {
    text: (name) => [values[name]].flat().at(-1)?.toString() ?? fromEnv(name),
    list(name) {
      const value = values[name]
      if (value !== undefined) return [value].flat().map(String)
      return fromEnv(name)
        ?.split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
    },
    isOn(name) {
      if (values[name] !== undefined) return values[name] === true
      const text = fromEnv(name)
      if (text === undefined || /^(false|0)$/i.test(text)) return false
      if (/^(true|1)$/i.test(text)) return true
      throw new StartError(`${variableOf(name)} must be true or false, not "${text}".`)
    },
    number(name) {
      const text = flags.text(name)
      if (text === undefined) return undefined
      if (/^\d{1,9}$/.test(text)) return Number(text)
      const source = values[name] === undefined ? variableOf(name) : `--${name}`
      throw new StartError(`${source} must be a whole number, not "${text}".`)
    },
  }
  return flags
}

type Values = Partial<Record<string, string | boolean | (string | boolean)[]>>

function parsed(args: string[]): Values {
  const options = Object.fromEntries(
    all.map(([name, { value, isRepeated }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: isRepeated === true },
    ]),
  )
  try {
    return parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } } }).values
  } catch (error) {
    throw flagFailure(error, 'slipway gateway --help')
  }
}

const usageOf = ([name, { value, isRepeated }]: [string, Flag]): string =>
  `  --${name}${value ? ` <${value}>` : ''}${isRepeated ? '...' : ''}`
const width = Math.max(...all.map((flag) => usageOf(flag).length)) + 2

export const gatewayHelp = `Usage: slipway gateway --kubeconfig <file> [options]

Serves the console in front of a Kubernetes cluster: signs users in and makes their calls on their behalf.
With only a kubeconfig it serves its owner, on this machine. Sign in with the passcode that it prints.

${Object.entries(groups)
  .map(([title, flags]) => {
    const lines = Object.entries<Flag>(flags).map(
      ([name, flag]) => `${usageOf([name, flag]).padEnd(width)}${flag.help}`,
    )
    return `${title}\n${lines.join('\n')}\n`
  })
  .join('\n')}
Each option has an environment variable, such as SLIPWAY_OIDC_CLIENT_ID for --oidc-client-id. The option takes precedence.
Options with ... may be repeated; separate the values with commas in a variable.
`
