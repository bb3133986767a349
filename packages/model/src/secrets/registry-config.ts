import { base64ToText, textToBase64 } from '@slipway/kube/base64'
import { isRecord } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import { secretTypes } from './secret'

/** How to sign in to one image registry. */
export interface RegistryCredentials {
  /** Host with port and path, such as `quay.io/team`; no protocol, except in the name of Docker Hub. */
  registry: string
  username: string
  password: string
  /** Empty if there is none. */
  email: string
}

/** Other names of Docker Hub; container tools look its credentials up by the first name that they ever had for it. */
const dockerHubHosts = ['docker.io', 'index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']

/** The name under which container tools store credentials of Docker Hub, their default registry. */
export const dockerHub = 'https://index.docker.io/v1/'

/**
 * The form of a registry's name in which docker, skopeo, buildah and the kubelet look up its credentials.
 * @param typed as people type it, such as `https://docker.io/` or `quay.io/team/`
 */
export function normalizeRegistry(typed: string): string {
  const [typedHost = '', ...rest] = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '')
    .split('/')
  const host = typedHost.toLowerCase()
  // The path of the registry's API is not part of its name.
  const path = /^v[12]$/.test(rest.join('/')) ? [] : rest
  if (!dockerHubHosts.includes(host)) return [host, ...path].join('/')
  return path.length === 0 ? dockerHub : ['docker.io', ...path].join('/')
}

/** Tools join username and password with a colon, so the first colon ends the username. */
export const usernameError = (username: string): string | undefined =>
  username.includes(':') ? 'Must not contain a colon ( : ).' : undefined

/** The file in which container tools store credentials, in one of its formats. */
export function registryConfig(
  credentials: readonly RegistryCredentials[],
  key: ParsedConfig['key'] = '.dockerconfigjson',
): string {
  const auths = Object.fromEntries(
    credentials.map(({ registry, username, password, email }) => [
      registry,
      { username, password, ...(email && { email }), auth: textToBase64(`${username}:${password}`) },
    ]),
  )
  return JSON.stringify(key === '.dockercfg' ? auths : { auths })
}

/** A parsed `config.json` or `.dockercfg`: the registries that it has credentials for. */
interface ParsedConfig {
  type: typeof secretTypes.dockerConfigJson | typeof secretTypes.dockerConfig
  key: '.dockerconfigjson' | '.dockercfg'
  entries: [registry: string, entry: Record<string, unknown>][]
}

export const notJsonMessage = 'Configuration file should be in JSON format.'
const noAuthsMessage = 'Configuration file should contain a registry with its credentials.'
const emptyEntryMessage = (registry: string) =>
  `Configuration file has no credentials for ${registry}. If a credential helper stores them, sign in without it.`

/**
 * Reads either format of the file: the newer one has its registries under `auths`, the older one at the top.
 * @returns the error as text for a file with which no registry can be used
 */
export function parseRegistryConfig(text: string): ParsedConfig | string {
  const config = parseJson(text)
  if (!isRecord(config)) return notJsonMessage
  const isNewer = 'auths' in config
  const auths = isNewer ? config.auths : config
  const entries = isRecord(auths) ? Object.entries(auths) : []
  if (entries.length === 0) return noAuthsMessage
  const valid = entries.flatMap(([registry, entry]): ParsedConfig['entries'] =>
    isRecord(entry) ? [[registry, entry]] : [],
  )
  if (valid.length < entries.length) return noAuthsMessage
  const empty = valid.find(([, entry]) => !hasCredentials(entry))
  if (empty) return isNewer ? emptyEntryMessage(empty[0]) : noAuthsMessage
  return isNewer
    ? { type: secretTypes.dockerConfigJson, key: '.dockerconfigjson', entries: valid }
    : { type: secretTypes.dockerConfig, key: '.dockercfg', entries: valid }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''

const hasCredentials = (entry: Record<string, unknown>): boolean =>
  isFilled(entry.identitytoken) || isFilled(entry.registrytoken) || credentialsIn('', entry) !== undefined

/** The username and password of an entry, from `auth` or else their own members. */
export function credentialsIn(registry: string, entry: unknown): RegistryCredentials | undefined {
  const { auth, username, password, email } = asRecord(entry)
  const text = isFilled(auth) ? base64ToText(auth) : undefined
  const colon = text?.indexOf(':') ?? -1
  const pair =
    text !== undefined && colon > 0
      ? { username: text.slice(0, colon), password: text.slice(colon + 1) }
      : isFilled(username) && isFilled(password)
        ? { username, password }
        : undefined
  return pair && { registry, ...pair, email: isFilled(email) ? email : '' }
}

/** The passwords and tokens of an entry, each of which may say when it expires. */
export const tokensIn = (entry: Record<string, unknown>): string[] =>
  [credentialsIn('', entry)?.password, entry.identitytoken, entry.registrytoken].filter(isFilled)
