import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { platformVersions } from '@slipway/simulator/platform-version'
import { scenarioNames, scenarioSummaries } from '@slipway/simulator/scenario-names'
import { StartError } from './start-error'

export type Environment = Record<string, string | undefined>

export interface Flag {
  /** Placeholder of the value in the help; absent for a boolean flag. */
  value?: string
  /** All values, if these are few; a placeholder such as `on|off` lists them itself. */
  choices?: readonly string[]
  isRepeated?: true
  /** Set if no environment variable may set it. */
  isFlagOnly?: true
  /** More than one line for a list. */
  help: string
}

interface Command {
  /** One line, for lists of commands. */
  summary: string
  usage: string
  description: string
  /** In the order of the help. */
  groups: Record<string, Record<string, Flag>>
}

const scenarios = scenarioNames.map((name) => `  ${name.padEnd(8)}${scenarioSummaries[name]}`).join('\n')

/** How to reach a cluster; a command may have more of this group. */
const cluster = {
  kubeconfig: { value: 'file', help: 'a kubeconfig, or several as in KUBECONFIG; exec plugins are supported' },
  context: { value: 'name', help: 'context of the kubeconfig; default: its current one' },
  'in-cluster': { help: 'use the service account of the pod' },
  'kubernetes-url': { value: 'url', help: 'URL of the API server' },
  'kubernetes-ca-file': { value: 'file', help: "CA certificates to trust for it; default: the system's" },
  'kubernetes-token-file': { value: 'file', help: 'the own token there; reloaded when it changes' },
} as const satisfies Record<string, Flag>

const renderMilliseconds = {
  value: 'number',
  help: 'how long a page waits for its content; default: 0, which sends it without',
} as const satisfies Flag

const summaries = {
  start: 'runs everything on this machine, with a cluster of its own',
  gateway: 'serves the console in front of your own cluster',
  views: 'serves list views of your own cluster to gateways',
  simulate: 'runs the simulator on your own cluster',
  doctor: 'checks a data folder and salvages a damaged one',
  completion: 'prints a script with which your shell completes commands and options',
}

const otherCommands = Object.entries(summaries)
  .filter(([name]) => name !== 'start')
  .map(([name, summary]) => `  slipway ${name.padEnd(12)}${summary}`)
  .join('\n')

/** All commands and their options. */
export const commands = {
  start: {
    summary: summaries.start,
    usage: 'slipway [start] [options]',
    description: `Runs everything on this machine, with a cluster of its own. Other commands, each with its own --help:

${otherCommands}`,
    groups: {
      Options: {
        port: { value: 'number', help: 'port of the console; default: 8080' },
        'api-port': { value: 'number', help: 'port of the Kubernetes API; default: 8081' },
        'sign-in-port': { value: 'number', help: 'port of the sign-in page; default: 8082' },
        'git-port': { value: 'number', help: 'port of the simulated git host; default: 8083' },
        scenario: {
          value: 'name',
          choices: scenarioNames,
          help: `initial content of an empty data folder; default: demo; large takes a while to create\n${scenarios}`,
        },
        simulator: { value: 'on|off', help: 'whether to simulate builds, tests and releases; default: on' },
        speed: { value: 'number', help: 'how many times faster than real time to simulate; default: 1' },
        platform: {
          value: 'name',
          choices: platformVersions,
          help: "state of the platform's services: current (default), or legacy for that of last winter",
        },
        archive: {
          value: 'name',
          help: 'archive backends for deleted objects: none, kubearchive (default), results or both',
        },
        views: { value: 'on|off', help: 'whether to serve list views, read once for all users; default: on' },
        'keep-hours': {
          value: 'number',
          help: 'how long finished runs and snapshots stay in the cluster; the newest stay longer; default: 3',
        },
        'event-minutes': { value: 'number', help: 'how long events stay in the cluster; default: 60' },
        'archive-days': { value: 'number', help: 'how long deleted objects are archived; default: 90' },
        'archive-megabytes': {
          value: 'number',
          help: 'size of the archive beyond which the oldest objects are removed earlier; default: 150',
        },
        'plain-http': {
          value: 'on|off',
          help: 'whether the Kubernetes API also accepts plain HTTP, which sends tokens unencrypted; default: off',
        },
        'public-origin': {
          value: 'origin',
          isRepeated: true,
          help: 'URL of the console in browsers, if behind a proxy; may have a path',
        },
        'render-milliseconds': renderMilliseconds,
        data: { value: 'folder', help: 'folder for all data; default: .slipway' },
        open: { help: 'open the console in a browser when it is ready' },
        fresh: { isFlagOnly: true, help: 'start with an empty data folder' },
        version: { isFlagOnly: true, help: 'print the version, and exit' },
      },
    },
  },
  gateway: {
    summary: summaries.gateway,
    usage: 'slipway gateway --kubeconfig <file> [options]',
    description: `Serves the console in front of a Kubernetes cluster: signs users in and makes their calls on their behalf.
With only a kubeconfig it serves its owner, on this machine. Sign in with the passcode that it prints.`,
    groups: {
      'Cluster (choose one of three ways)': {
        ...cluster,
        as: { value: 'way', help: 'how calls are made as the user: impersonate (default) or id-token' },
        'namespace-selector': { value: 'labels', help: 'namespaces to list, such as example.com/type=tenant' },
      },
      Services: {
        'namespace-lister': { value: 'url', help: 'service that lists namespaces; default: access reviews' },
        'namespace-lister-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
        kubearchive: { value: 'url', help: 'URL of the KubeArchive API' },
        'kubearchive-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
        'kubearchive-token-file': { value: 'file', help: 'its own token' },
        'tekton-results': { value: 'url', help: 'URL of the Tekton Results API, on platforms without KubeArchive' },
        'tekton-results-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
        'tekton-results-token-file': { value: 'file', help: 'its own token' },
        views: { value: 'url', help: 'URL of the service for list views' },
        'views-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
        'views-token-file': { value: 'file', help: 'its own token' },
        'plugins-get-gateway-token': { help: "send the gateway's own token to those without a token file" },
      },
      'Sign-in with OpenID Connect': {
        'oidc-issuer': { value: 'url', help: 'issuer URL, exactly as the provider reports it' },
        'oidc-client-id': { value: 'id', help: 'client ID of the gateway' },
        'oidc-client-secret-file': { value: 'file', help: 'client secret; without it the gateway is a public client' },
        'oidc-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
        'oidc-scope': { value: 'scope', isRepeated: true, help: 'default: openid email profile groups offline_access' },
        'oidc-prompt': { value: 'prompt', help: 'default: login consent; none for no prompt' },
        'oidc-user-claim': { value: 'claim', help: "the user's name in the cluster; default: email" },
        'oidc-groups-claim': {
          value: 'claim',
          help: 'or a member of one, such as realm_access.roles; default: groups',
        },
        'oidc-keep-group': {
          value: 'name',
          isRepeated: true,
          help: 'a group that counts, or team-* for all that start so; default: all groups',
        },
        'oidc-user-prefix': { value: 'text', help: 'prefix of every user name, such as oidc:' },
        'oidc-group-prefix': { value: 'text', help: 'prefix of every group' },
        'oidc-allow-system-name': {
          value: 'name',
          isRepeated: true,
          help: 'a user name starting with system: to allow',
        },
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
        'session-key-file': {
          value: 'file',
          isRepeated: true,
          help: '32 random bytes; the first encrypts, all decrypt',
        },
        'session-idle-minutes': { value: 'number', help: 'idle sessions expire after this; default: 480' },
        'session-hours': { value: 'number', help: 'all sessions expire after this; default: 24' },
        'session-recheck-minutes': {
          value: 'number',
          help: 'users blocked at the provider are signed out within this; default: 5',
        },
        'session-unconfirmed-minutes': {
          value: 'number',
          help: 'sessions expire after this if the provider issues no refresh token; default: 60',
        },
        'sign-outs': { value: 'namespace/name', help: 'ConfigMap through which replicas share sign-outs' },
      },
      Listening: {
        host: { value: 'address', help: 'default: 127.0.0.1' },
        port: { value: 'number', help: 'default: 8080' },
        'public-origin': {
          value: 'origin',
          isRepeated: true,
          help: 'URL in browsers, such as https://console.example.com; may have a path',
        },
        'forwarded-hops': { value: 'number', help: 'number of proxies that add to X-Forwarded-For; default: 0' },
        'tls-cert': { value: 'file', help: 'serve TLS with this certificate; reloaded when it changes' },
        'tls-key': { value: 'file', help: 'private key of the certificate' },
        'tls-client-ca': { value: 'file', help: 'CA certificates for client certificates of a proxy' },
        'plain-http': {
          help: 'allow a non-loopback host without TLS, where a service mesh encrypts connections',
        },
        assets: { value: 'folder', help: 'the built console; default: the one built with this command' },
        'sign-in-port': { value: 'number', help: 'port of the sign-in page, with only a kubeconfig; default: 8082' },
      },
      Operation: {
        'metrics-port': { value: 'number', help: 'serve /metrics for Prometheus on this port' },
        'metrics-host': { value: 'address', help: 'default: 127.0.0.1' },
        'metrics-open-to-network': { help: 'allow a non-loopback metrics host; metrics need no sign-in' },
        'drain-seconds': {
          value: 'number',
          help: 'keep serving after SIGTERM until load balancers notice; default: 10',
        },
        'streams-per-user': { value: 'number', help: 'limit of watches and log streams per user; default: 64' },
        'calls-per-user': { value: 'number', help: 'limit of other concurrent calls per user; default: 128' },
        streams: { value: 'number', help: 'limit of watches and log streams in total; default: 10000' },
        'calls-per-second': { value: 'number', help: 'rate per user, with bursts of ten times as many; default: 50' },
        'sign-ins-per-minute': { value: 'number', help: 'limit per client address; default: 120' },
        'render-milliseconds': renderMilliseconds,
        'log-level': {
          value: 'level',
          help: 'error, warn, info or debug; default: info, or warn with only a kubeconfig',
        },
      },
    },
  },
  views: {
    summary: summaries.views,
    usage: 'slipway views --in-cluster [options]',
    description: `Serves list views to gateways (--views): reads each list of a cluster once for all of its users, and sends each of
them what the cluster lets them see. Its account needs the ClusterRole that --print-role prints.`,
    groups: {
      'Cluster (choose one of three ways)': cluster,
      Options: {
        host: { value: 'address', help: 'address to listen on; default: 127.0.0.1' },
        port: { value: 'number', help: 'default: 8084' },
        'tls-cert': { value: 'file', help: 'serve TLS with this certificate; reloaded when it changes' },
        'tls-key': { value: 'file', help: 'private key of the certificate' },
        'plain-http': {
          help: 'allow a non-loopback host without TLS, where a service mesh encrypts connections',
        },
        'memory-megabytes': {
          value: 'number',
          help: 'memory for rows, beyond which lists that no client has open are dropped; default: 300',
        },
        'log-level': { value: 'level', help: 'error, warn, info or debug; default: info' },
        'print-role': { isFlagOnly: true, help: 'print the ClusterRole that it needs, and exit' },
      },
    },
  },
  simulate: {
    summary: summaries.simulate,
    usage: 'slipway simulate --kubeconfig <file> [options]',
    description: `Simulates activity on a Kubernetes cluster: installs the platform's definitions, roles and config maps, creates
a scenario, and simulates its services and users until Ctrl-C. The next start continues. Nothing runs
in the pods that it creates, and they are never scheduled. Do not use it where such services already run.`,
    groups: {
      Options: {
        kubeconfig: {
          value: 'file',
          help: 'a kubeconfig, or several as in KUBECONFIG, which is the default; exec plugins are supported',
        },
        context: { value: 'name', help: 'context of the kubeconfig; default: its current one' },
        scenario: {
          value: 'name',
          choices: [...scenarioNames, 'none'],
          help: `scenario to create, once; default: demo, unless the cluster has team namespaces
${scenarios}
  none    nothing`,
        },
        speed: { value: 'number', help: 'how many times faster than real time to simulate; default: 1' },
        platform: {
          value: 'name',
          choices: platformVersions,
          help: "state of the platform's services: current (default), or legacy for that of last winter",
        },
        'git-port': { value: 'number', help: 'port of the simulated git host; default: 8083' },
        'console-url': {
          value: 'url',
          help: 'URL of the console, for links in pull requests; default: http://127.0.0.1:8080',
        },
        'print-role': { isFlagOnly: true, help: 'print the ClusterRole that it needs, and exit' },
      },
    },
  },
  doctor: {
    summary: summaries.doctor,
    usage: 'slipway doctor [folder] [options]',
    description: `Checks a data folder (default: SLIPWAY_DATA, .slipway): every row of its stores, and its other files. It changes
nothing. Exits with 0 if everything is intact and with 1 if something is damaged. The folder must not be in use.`,
    groups: {
      Options: {
        'salvage-to': {
          value: 'folder',
          isFlagOnly: true,
          help: 'copy everything intact into this new folder, ready to start',
        },
      },
      'Archives (with one of them and no folder, no data folder is checked)': {
        kubearchive: { value: 'url', help: 'also check that this KubeArchive API answers' },
        'kubearchive-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
        'tekton-results': { value: 'url', help: 'also check that this Tekton Results API answers' },
        'tekton-results-ca-file': { value: 'file', help: 'CA certificates to trust for it' },
      },
    },
  },
  completion: {
    summary: summaries.completion,
    usage: 'slipway completion bash|zsh|fish',
    description: `Prints a script with which your shell completes the commands and options of slipway. To load it with each shell:

  bash   add to ~/.bashrc:  source <(slipway completion bash)
  zsh    add to ~/.zshrc, after compinit:  source <(slipway completion zsh)
  fish   add to ~/.config/fish/config.fish:  slipway completion fish | source`,
    groups: {},
  },
} as const satisfies Record<string, Command>

type Commands = typeof commands
export type CommandName = keyof Commands
type Groups<C extends CommandName> = Commands[C]['groups']
export type FlagName<C extends CommandName> = Extract<
  { [G in keyof Groups<C>]: keyof Groups<C>[G] }[keyof Groups<C>],
  string
>

const help: Flag = { isFlagOnly: true, help: 'show this help' }

/** The flags of a command, in the order of the help. */
export const flagsIn = (command: CommandName): [string, Flag][] => [
  ...Object.values<Record<string, Flag>>(commands[command].groups).flatMap((flags) => Object.entries(flags)),
  ['help', help],
]

/** Names of all flags of a command without the dashes, in the order of the help. */
export const flagNames = (command: CommandName): string[] => flagsIn(command).map(([name]) => name)

/** The environment variable of a flag. */
export const variableOf = (name: string): string => `SLIPWAY_${name.toUpperCase().replaceAll('-', '_')}`

/** The given options of a command: flags, or else their environment variables. */
export interface Flags<Name extends string> {
  /** Arguments that are not flags. */
  positionals: string[]
  needsHelp: boolean
  text(name: Name): string | undefined
  list(name: Name): string[] | undefined
  isOn(name: Name): boolean
  /** A whole number. */
  number(name: Name): number | undefined
  port(name: Name): number | undefined
  oneOf<const T extends string>(name: Name, choices: readonly T[]): T | undefined
  /** An error that names the flag or the variable, whichever was given. */
  invalid(name: Name, expected: string): StartError
}

export type FlagsOf<C extends CommandName> = Flags<FlagName<C>>

/**
 * Parses flags and, for missing ones, their environment variables.
 * @throws StartError for unknown flags; the functions throw it for invalid values
 */
export function parseFlags<C extends CommandName>(command: C, args: string[], env: Environment): FlagsOf<C> {
  const { values, positionals } = parsed(command, args)
  const flagOnly = new Set(flagsIn(command).flatMap(([name, { isFlagOnly }]) => (isFlagOnly ? name : [])))
  const fromEnv = (name: string) => (flagOnly.has(name) ? undefined : env[variableOf(name)] || undefined)
  const flags: Flags<string> = {
    positionals,
    needsHelp: values.help === true,
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
      throw flags.invalid(name, 'true or false')
    },
    number(name) {
      const text = flags.text(name)
      if (text === undefined) return undefined
      if (/^\d{1,9}$/.test(text)) return Number(text)
      throw flags.invalid(name, 'a whole number')
    },
    port(name) {
      const text = flags.text(name)
      if (text === undefined) return undefined
      if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
      throw flags.invalid(name, 'a port number from 0 to 65535')
    },
    oneOf(name, choices) {
      const text = flags.text(name)
      const choice = choices.find((each) => each === text)
      if (text !== undefined && choice === undefined) throw flags.invalid(name, `one of ${choices.join(', ')}`)
      return choice
    },
    invalid(name, expected) {
      const source = values[name] === undefined ? variableOf(name) : `--${name}`
      return new StartError(`${source} must be ${expected}, not "${flags.text(name)}".`)
    },
  }
  return flags
}

type Values = Partial<Record<string, string | boolean | (string | boolean)[]>>

function parsed(command: CommandName, args: string[]): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(
    flagsIn(command).map(([name, { value, isRepeated }]) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        multiple: isRepeated === true,
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  )
  try {
    return parseArgs({
      args,
      options,
      allowPositionals: command === 'doctor' || command === 'completion',
    })
  } catch (error) {
    // The first sentence names the flag; the rest does not apply here.
    const reason = error instanceof Error ? error.message.split(/\.\s|\n/)[0] : String(error)
    throw new StartError(`${reason?.replace(/\.$/, '')}. See slipway ${command} --help for all options.`)
  }
}

export function helpOf(command: CommandName): string {
  const { usage, description, groups }: Command = commands[command]
  const width = Math.max(...flagsIn(command).map((flag) => usageOf(flag).length)) + 2
  const lineOf = ([name, flag]: [string, Flag]) =>
    usageOf([name, flag]).padEnd(width) + flag.help.replaceAll('\n', `\n${' '.repeat(width)}`)
  const sectionOf = ([title, flags]: [string, Record<string, Flag>]) =>
    [title, ...Object.entries(flags).map(lineOf)].join('\n')
  const [example] = flagsIn(command).find(([, { isFlagOnly }]) => !isFlagOnly) ?? []
  const variables =
    example &&
    `Options have environment variables, such as ${variableOf(example)} for --${example}. The option takes precedence. Options
with ... may be repeated; separate the values with commas in a variable.\n`
  const sections = Object.entries({ ...groups, Help: { help } }).map(sectionOf)
  return [`Usage: ${usage}`, description, ...sections, variables ?? ''].join('\n\n')
}

const usageOf = ([name, { value, isRepeated }]: [string, Flag]): string =>
  `  --${name}${value ? ` <${value}>` : ''}${isRepeated ? '...' : ''}`

/** The version of the installed package. The relative path is the same from `src` and `dist`. */
export const version = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version // our own package.json has one
}
