import type { Clock } from '@slipway/kube/clock'
import { configError, Setting, type AccessSetting } from './config-error'
import { parseToken, type Connection, type Tls } from './connection'
import { execCredentials, type ExecCredentials } from './exec-credentials'
import { kubeconfigContext, kubeconfigFiles, type KubeconfigContext, type Material } from './kubeconfig'
import type { Log } from './log'
import { parseServiceUrl, rejectInsecure, rejectPlainHttp } from './service-config'
import type { WatchedFiles } from './watched-file'

interface KubeconfigParts {
  /** Name of the upstream in messages. */
  upstream: string
  /** One path, or several as in a `KUBECONFIG`. */
  kubeconfig: string
  context?: string | undefined
  isLocal: boolean
  files: WatchedFiles
  env: NodeJS.ProcessEnv
  clock: Clock
  log: Log
}

const settingName: AccessSetting = 'kubernetes.access kubeconfig'

/**
 * A connection by one context of a kubeconfig. The context and its server are fixed at the start: later changes of the
 * file only affect credentials and authorities.
 * @throws ConfigError that says what to change
 */
export async function kubeconfigConnection(parts: KubeconfigParts): Promise<Connection> {
  const { files, log, upstream } = parts
  const paths = kubeconfigFiles(parts.kubeconfig)
  if (paths.length === 0) throw configError`${new Setting(settingName)} does not name a file.`
  const { parse } = await import('yaml')

  const read = () => Promise.all(paths.map((path) => files.read(path)))
  function parseContext(texts: string[], name: string | undefined): KubeconfigContext {
    const contents = texts.map((content, index) => ({ path: paths[index] ?? '', content: parseYaml(parse, content) }))
    const context = kubeconfigContext(contents, name)
    if (context.isInsecure) rejectInsecure(settingName, parts.isLocal)
    return context
  }

  let texts = await read()
  let context = parseContext(texts, parts.context)
  const { name, server } = context
  const url = parseServiceUrl(settingName, server)
  rejectPlainHttp(settingName, url, parts.isLocal)
  let exec = createExecCredentials(context, parts)

  /** Applies changes of the files, unless they are invalid. */
  async function reloadIfChanged(): Promise<void> {
    const next = await read()
    if (next.every((content, index) => content === texts[index])) return
    texts = next
    try {
      const changed = parseContext(next, name)
      if (changed.server !== server) throw new Error('it names another server, which takes a restart')
      if (JSON.stringify(changed.exec) !== JSON.stringify(context.exec)) exec = createExecCredentials(changed, parts)
      context = changed
    } catch (error) {
      log.error({ upstream, cause: (error as Error).message }, 'ignoring a change of the kubeconfig')
    }
  }

  const readMaterial = async (material: Material): Promise<string | undefined> =>
    material && ('text' in material ? material.text : files.read(material.file))

  return {
    url,
    async credentials() {
      await reloadIfChanged()
      const { servername, isInsecure } = context
      const [ca, cert, key, token, fromExec] = await Promise.all([
        readMaterial(context.ca),
        readMaterial(context.cert),
        readMaterial(context.key),
        readMaterial(context.token),
        exec?.current(),
      ])
      const tls: Tls = { rejectUnauthorized: !isInsecure }
      if (ca) tls.ca = ca
      if (servername) tls.servername = servername
      if (cert && key) Object.assign(tls, { cert, key })
      if (fromExec?.cert && fromExec.key) Object.assign(tls, { cert: fromExec.cert, key: fromExec.key })
      return { tls, token: token ? parseToken(token, new Setting(settingName)) : fromExec?.token }
    },
    invalidate: () => exec?.invalidate(),
  }
}

const createExecCredentials = (
  { exec }: KubeconfigContext,
  { upstream, ...parts }: KubeconfigParts,
): ExecCredentials | undefined => exec && execCredentials({ ...parts, upstream, config: exec })

/** @throws ConfigError without the text around the syntax error, which may be a secret */
function parseYaml(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text)
  } catch {
    throw configError`The kubeconfig is not valid YAML.`
  }
}
