import { delimiter, dirname, isAbsolute, resolve } from 'node:path'
import { asArray, asRecord } from '@slipway/kube/parse'
import { configError } from './config-error'
import type { ExecConfig } from './exec-credentials'

/** The resolved settings of a kubeconfig context. File paths are absolute; data is in PEM. */
export interface KubeconfigContext {
  name: string
  /** Name of its user in the kubeconfig, which may differ from the name in the cluster; empty without a user. */
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

/** Inline text, or the file that contains it. */
export type Material = { text: string } | { file: string } | undefined

type Fields = Record<string, unknown>
interface Entry {
  fields: Fields
  /** Folder of its file, the base of relative paths. */
  folder: string
}

/** The files of a `KUBECONFIG` variable: one path, or several as in `PATH`. */
export const kubeconfigFiles = (paths: string): string[] =>
  paths
    .split(delimiter)
    .filter(Boolean)
    .map((path) => resolve(path))

/**
 * Reads one context; without a name, the current one.
 * @param files path and parsed YAML; if two files define a name, the first one applies
 * @throws ConfigError that says what to change
 */
export function kubeconfigContext(files: { path: string; content: unknown }[], name?: string): KubeconfigContext {
  const contextName =
    name ??
    files.map(({ content }) => readString(asRecord(content), 'current-context')).find((each) => each !== undefined)
  if (!contextName) throw configError`The kubeconfig has no current context. Name a context.`
  const find = (list: 'clusters' | 'contexts' | 'users', kind: 'cluster' | 'context' | 'user', key = '') => {
    for (const { path, content } of files) {
      const entries = asRecord(content)[list]
      const entry = Array.isArray(entries) ? entries.map(asRecord).find((each) => each.name === key) : undefined
      if (entry) return { fields: asRecord(entry[kind]), folder: dirname(path) }
    }
    throw configError`The kubeconfig has no ${kind} ${JSON.stringify(key)}.`
  }
  const context = find('contexts', 'context', contextName).fields
  const cluster = find('clusters', 'cluster', readString(context, 'cluster'))
  const userName = readString(context, 'user')
  const user: Entry = userName ? find('users', 'user', userName) : { fields: {}, folder: '' }
  rejectUnsupported(cluster.fields, user.fields)
  const server = readString(cluster.fields, 'server')
  if (!server) throw configError`The cluster of the kubeconfig's context ${JSON.stringify(contextName)} has no server.`
  const token = readString(user.fields, 'token')
  return {
    name: contextName,
    user: userName ?? '',
    server,
    isInsecure: cluster.fields['insecure-skip-tls-verify'] === true,
    servername: readString(cluster.fields, 'tls-server-name'),
    ca: parsePem(cluster, 'certificate-authority'),
    cert: parsePem(user, 'client-certificate'),
    key: parsePem(user, 'client-key'),
    token: parseFile(user, 'tokenFile') ?? (token ? { text: token } : undefined),
    exec: token || user.fields.tokenFile ? undefined : parseExec(user, cluster.fields),
  }
}

/** Rejects settings that would otherwise be silently ignored, although they change the identity or target of calls. */
function rejectUnsupported(cluster: Fields, user: Fields): void {
  const reasons: [unknown, string][] = [
    [cluster['proxy-url'], 'proxy-url is not supported'],
    [user['auth-provider'], 'auth-provider is no longer supported: use an exec plugin'],
    [user.username ?? user.password, 'Kubernetes no longer supports passwords in a kubeconfig'],
    [user.as ?? user['as-uid'] ?? user['as-groups'] ?? user['as-user-extra'], 'impersonation (as) is not supported'],
  ]
  const found = reasons.find(([value]) => value !== undefined && value !== null)
  if (found) throw configError`The kubeconfig cannot be used: ${found[1]}.`
}

function parseExec(user: Entry, cluster: Fields): ExecConfig | undefined {
  if (user.fields.exec === undefined || user.fields.exec === null) return undefined
  const exec = asRecord(user.fields.exec)
  const command = readString(exec, 'command')
  const apiVersion = readString(exec, 'apiVersion') ?? ''
  if (!command) throw configError`The kubeconfig's exec plugin has no command.`
  if (!/^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(apiVersion)) {
    throw configError`The kubeconfig's exec plugin uses ${JSON.stringify(apiVersion)}, which is not supported.`
  }
  if (exec.interactiveMode === 'Always') {
    throw configError`The kubeconfig's exec plugin is interactive, which is not supported.`
  }
  const env = asArray(exec.env).map(asRecord)
  return {
    apiVersion,
    // A bare name is looked up in PATH.
    command: /[\\/]/.test(command) ? resolve(user.folder, command) : command,
    args: asArray(exec.args).map(String),
    env: Object.fromEntries(env.map((each) => [readString(each, 'name') ?? '', readString(each, 'value') ?? ''])),
    ...(exec.provideClusterInfo === true && { cluster: { ...cluster, config: null } }),
  }
}

/** `{key}-data` in base64, which takes precedence, or the file `{key}`. */
function parsePem(entry: Entry, key: string): Material {
  const data = readString(entry.fields, `${key}-data`)
  return data ? { text: Buffer.from(data, 'base64').toString() } : parseFile(entry, key)
}

function parseFile({ fields, folder }: Entry, key: string): Material {
  const path = readString(fields, key)
  return path ? { file: isAbsolute(path) ? path : resolve(folder, path) } : undefined
}

const readString = (fields: Fields, key: string): string | undefined => {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
