import { delimiter, dirname, isAbsolute, resolve } from 'node:path'
import type { ExecConfig } from './exec-credentials'

/** What one context of a kubeconfig comes down to. Files are absolute; data is in PEM. */
export interface KubeconfigContext {
  name: string
  /** What the kubeconfig calls its user, who may have another name in the cluster; empty without one. */
  user: string
  server: string
  isInsecure: boolean
  servername: string | undefined
  ca: Material
  cert: Material
  key: Material
  token: Material
  exec: ExecConfig | undefined
}

/** Text that is given outright, or the file that holds it. */
export type Material = { text: string } | { file: string } | undefined

type Fields = Record<string, unknown>
interface Entry {
  fields: Fields
  /** Of its file, which relative paths begin from. */
  folder: string
}

/** The files of a `KUBECONFIG`: one path, or several as in a `PATH`. */
export const kubeconfigFiles = (paths: string): string[] =>
  paths
    .split(delimiter)
    .filter(Boolean)
    .map((path) => resolve(path))

/**
 * Reads one context; without a name the current one.
 * @param files path and parsed YAML; where two files define a name, the first counts
 * @throws Error with one sentence that says what to change
 */
export function kubeconfigContext(files: { path: string; content: unknown }[], name?: string): KubeconfigContext {
  const wanted =
    name ?? files.map(({ content }) => text(fieldsOf(content), 'current-context')).find((each) => each !== undefined)
  if (!wanted) throw new Error('The kubeconfig has no current context: name one.')
  const find = (list: 'clusters' | 'contexts' | 'users', kind: 'cluster' | 'context' | 'user', key = '') => {
    for (const { path, content } of files) {
      const entries = fieldsOf(content)[list]
      const entry = Array.isArray(entries) ? entries.map(fieldsOf).find((each) => each.name === key) : undefined
      if (entry) return { fields: fieldsOf(entry[kind]), folder: dirname(path) }
    }
    throw new Error(`The kubeconfig has no ${kind} ${JSON.stringify(key)}.`)
  }
  const context = find('contexts', 'context', wanted).fields
  const cluster = find('clusters', 'cluster', text(context, 'cluster'))
  const userName = text(context, 'user')
  const user: Entry = userName ? find('users', 'user', userName) : { fields: {}, folder: '' }
  refuseUnsupported(cluster.fields, user.fields)
  const server = text(cluster.fields, 'server')
  if (!server) throw new Error(`The cluster of the kubeconfig's context ${JSON.stringify(wanted)} has no server.`)
  const token = text(user.fields, 'token')
  return {
    name: wanted,
    user: userName ?? '',
    server,
    isInsecure: cluster.fields['insecure-skip-tls-verify'] === true,
    servername: text(cluster.fields, 'tls-server-name'),
    ca: pem(cluster, 'certificate-authority'),
    cert: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
    token: fileOf(user, 'tokenFile') ?? (token ? { text: token } : undefined),
    exec: token || user.fields.tokenFile ? undefined : execOf(user, cluster.fields),
  }
}

/** What would be ignored in silence otherwise, and change whose calls are made or where they go. */
function refuseUnsupported(cluster: Fields, user: Fields): void {
  const reasons: [unknown, string][] = [
    [cluster['proxy-url'], "the gateway does not call a cluster through the proxy of a kubeconfig's proxy-url"],
    [user['auth-provider'], 'a kubeconfig with an auth-provider is out of date: use an exec plugin'],
    [user.username ?? user.password, 'Kubernetes no longer takes the password of a kubeconfig'],
    [
      user.as ?? user['as-uid'] ?? user['as-groups'] ?? user['as-user-extra'],
      "a kubeconfig's impersonation (as) would get in the way of the gateway's own",
    ],
  ]
  const found = reasons.find(([value]) => value !== undefined && value !== null)
  if (found) throw new Error(`The kubeconfig cannot be used: ${found[1]}.`)
}

function execOf(user: Entry, cluster: Fields): ExecConfig | undefined {
  if (user.fields.exec === undefined || user.fields.exec === null) return undefined
  const exec = fieldsOf(user.fields.exec)
  const command = text(exec, 'command')
  const apiVersion = text(exec, 'apiVersion') ?? ''
  if (!command) throw new Error("The kubeconfig's exec names no command.")
  if (!/^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(apiVersion)) {
    throw new Error(`The kubeconfig's exec plugin speaks ${JSON.stringify(apiVersion)}, which is not known here.`)
  }
  if (exec.interactiveMode === 'Always') {
    throw new Error("The kubeconfig's exec plugin asks questions, and the gateway has nobody to answer them.")
  }
  const env = listOf(exec.env).map(fieldsOf)
  return {
    apiVersion,
    // A bare name is looked for in the PATH.
    command: /[\\/]/.test(command) ? resolve(user.folder, command) : command,
    args: listOf(exec.args).map(String),
    env: Object.fromEntries(env.map((each) => [text(each, 'name') ?? '', text(each, 'value') ?? ''])),
    ...(exec.provideClusterInfo === true && { cluster: { ...cluster, config: null } }),
  }
}

/** `{key}-data` in base64, which wins, or the file `{key}`. */
function pem(entry: Entry, key: string): Material {
  const data = text(entry.fields, `${key}-data`)
  return data ? { text: Buffer.from(data, 'base64').toString() } : fileOf(entry, key)
}

function fileOf({ fields, folder }: Entry, key: string): Material {
  const path = text(fields, key)
  return path ? { file: isAbsolute(path) ? path : resolve(folder, path) } : undefined
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (fields: Fields, key: string): string | undefined => {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
