import { parseArgs } from 'node:util'
import { StartError } from '../start-error'
import { flagFailure } from '../options'

interface Flag {
  /** What its value is, for the help; absent for one that is on or off. */
  value?: string
  isRepeated?: true
  help: string
}

/** Every option of `slipway gateway`, in the order and the groups of its help. */
const groups = {
  'The cluster, in one of three ways': {
    kubeconfig: { value: 'file', help: 'a kubeconfig, with exec plugins if need be; several as in KUBECONFIG' },
    context: { value: 'name', help: 'context of the kubeconfig; default: its current one' },
    'in-cluster': { help: 'the service account of the pod that the gateway runs in' },
    'kubernetes-url': { value: 'url', help: 'the address of the API server' },
    'kubernetes-ca-file': { value: 'file', help: 'authorities to trust for it; default: those of the system' },
    'kubernetes-token-file': { value: 'file', help: "the gateway's own token, read again when it changes" },
    as: { value: 'way', help: 'as whom calls are made: impersonate (default) or id-token' },
    'namespace-selector': { value: 'labels', help: 'which namespaces are listed, such as example.com/type=tenant' },
  },
  'Beside the cluster': {
    'namespace-lister': { value: 'url', help: 'lists the namespaces; default: access reviews of each' },
    'namespace-lister-ca-file': { value: 'file', help: 'authorities to trust for it' },
    'tekton-results': { value: 'url', help: 'the API of Tekton Results' },
    'tekton-results-ca-file': { value: 'file', help: 'authorities to trust for it' },
    'tekton-results-token-file': { value: 'file', help: 'a token for it alone' },
    kubearchive: { value: 'url', help: 'the API of KubeArchive' },
    'kubearchive-ca-file': { value: 'file', help: 'authorities to trust for it' },
    'kubearchive-token-file': { value: 'file', help: 'a token for it alone' },
    'plugins-get-gateway-token': { help: "hands the gateway's own token to those of both that have none of their own" },
  },
  'Sign-in by OpenID Connect': {
    'oidc-issuer': { value: 'url', help: 'the identity provider, exactly as it calls itself' },
    'oidc-client-id': { value: 'id', help: 'by which it knows the gateway' },
    'oidc-client-secret-file': { value: 'file', help: 'without one the gateway is a public client' },
    'oidc-ca-file': { value: 'file', help: 'authorities to trust for it' },
    'oidc-scope': { value: 'scope', isRepeated: true, help: 'default: openid email profile groups offline_access' },
    'oidc-prompt': { value: 'prompt', help: 'default: login; none for no prompt at all' },
    'oidc-user-claim': { value: 'claim', help: "the user's name in the cluster; default: email" },
    'oidc-groups-claim': { value: 'claim', help: 'default: groups' },
    'oidc-user-prefix': { value: 'text', help: 'put before every user name, such as oidc:' },
    'oidc-group-prefix': { value: 'text', help: 'put before every group' },
    'oidc-allow-system-name': { value: 'name', isRepeated: true, help: 'a name of system: that may pass' },
    'oidc-allow-unverified-email': { help: 'take addresses that the provider has not verified' },
  },
  'Sign-in by a proxy in front': {
    'front-proxy-secret-file': { value: 'file', help: 'the secret that it sends with each request' },
    'front-proxy-secret-header': { value: 'name', help: 'in this header; default: X-Front-Proxy-Secret' },
    'front-proxy-certificate-name': { value: 'name', isRepeated: true, help: 'or: the name of its client certificate' },
    'front-proxy-user-from': { value: 'field', help: 'email (default) or user' },
  },
  Sessions: {
    'session-key-file': { value: 'file', isRepeated: true, help: '32 random bytes; the first encrypts, all decrypt' },
    'session-idle-minutes': { value: 'number', help: 'a session that does nothing ends; default: 480' },
    'session-hours': { value: 'number', help: 'a session ends whatever it does; default: 24' },
    'session-recheck-minutes': { value: 'number', help: 'how often the provider is asked again; default: 5' },
    'sign-outs': { value: 'namespace/name', help: 'ConfigMap by which replicas tell each other of sign-outs' },
  },
  'Where it listens': {
    host: { value: 'address', help: 'default: 127.0.0.1' },
    port: { value: 'number', help: 'default: 8080' },
    'public-origin': {
      value: 'origin',
      isRepeated: true,
      help: 'where browsers find it, such as https://console.example.com',
    },
    'forwarded-hops': { value: 'number', help: 'proxies in front that add to X-Forwarded-For; default: none' },
    'tls-cert': { value: 'file', help: 'speaks TLS with this certificate, read again when it changes' },
    'tls-key': { value: 'file', help: 'and this key' },
    'tls-client-ca': { value: 'file', help: 'authorities of client certificates, for a proxy in front' },
    assets: { value: 'folder', help: 'the built console; default: the one that was built beside this command' },
    'sign-in-port': { value: 'number', help: 'of the sign-in page, with a kubeconfig alone; default: 8082' },
  },
  Operation: {
    'metrics-port': { value: 'number', help: 'serves /metrics for Prometheus there' },
    'metrics-host': { value: 'address', help: 'default: 127.0.0.1' },
    'metrics-open-to-network': { help: 'allows a metrics host that others can reach: metrics ask nobody who they are' },
    'drain-seconds': { value: 'number', help: 'how long it goes on after SIGTERM until balancers know; default: 10' },
    'streams-per-user': { value: 'number', help: 'watches and followed logs of one user; default: 64' },
    'calls-per-user': { value: 'number', help: 'other calls of one user at once; default: 128' },
    streams: { value: 'number', help: 'watches and followed logs of all users; default: 10000' },
    'calls-per-second': { value: 'number', help: 'of one user, after a burst of ten times as many; default: 50' },
    'sign-ins-per-minute': { value: 'number', help: 'that may be started from one address; default: 120' },
    'log-level': { value: 'level', help: 'error, warn, info or debug; default: info, with a kubeconfig alone warn' },
    help: { help: 'show this' },
  },
} as const satisfies Record<string, Record<string, Flag>>

type Groups = typeof groups
export type FlagName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

const all = Object.values(groups).flatMap((flags) => Object.entries<Flag>(flags))

/** Their names without the dashes, in the order of the help. */
export const flagNames: readonly string[] = all.map(([name]) => name)

/** The environment variable that stands for a flag. */
export const variableOf = (name: string): string => `SLIPWAY_${name.toUpperCase().replaceAll('-', '_')}`

export interface Flags {
  text(name: FlagName): string | undefined
  list(name: FlagName): string[] | undefined
  isOn(name: FlagName): boolean
  /** A whole number. */
  number(name: FlagName): number | undefined
}

/**
 * Reads flags, and where they are missing their environment variables.
 * @throws StartError for what is not understood
 */
export function flagsOf(args: string[], env: NodeJS.ProcessEnv): Flags {
  const values = parsed(args)
  const fromEnv = (name: string) => env[variableOf(name)] || undefined
  const flags: Flags = {
    text: (name) => [values[name]].flat().at(-1)?.toString() ?? fromEnv(name),
    list(name) {
      const given = values[name]
      if (given !== undefined) return [given].flat().map(String)
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

Stands between browsers and a Kubernetes cluster: serves the console, signs people in, and makes their calls as them.
With a kubeconfig alone it serves its owner on this machine: sign in with the passcode that it prints.

${Object.entries(groups)
  .map(([title, flags]) => {
    const lines = Object.entries<Flag>(flags).map(
      ([name, flag]) => `${usageOf([name, flag]).padEnd(width)}${flag.help}`,
    )
    return `${title}\n${lines.join('\n')}\n`
  })
  .join('\n')}
Each option has an environment variable, which the option itself wins over: --oidc-client-id is SLIPWAY_OIDC_CLIENT_ID.
Those with ... may be repeated; in a variable commas stand between the values.
`
