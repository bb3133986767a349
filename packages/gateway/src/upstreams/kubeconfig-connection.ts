import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import { checkedToken, type Connection, type Tls } from './connection'
import { execCredentials, type ExecCredentials } from './exec-credentials'
import { kubeconfigContext, kubeconfigFiles, type KubeconfigContext, type Material } from './kubeconfig'
import { refuseInsecure, serviceUrl } from './settings'
import type { WatchedFiles } from './watched-file'

interface KubeconfigParts {
  /** What messages call the upstream. */
  upstream: string
  /** One path, or several as in a `KUBECONFIG`. */
  kubeconfig: string
  context?: string | undefined
  isLocal: boolean
  files: WatchedFiles
  env: NodeJS.ProcessEnv
  clock: Clock
  log: FastifyBaseLogger
}

const option = 'kubernetes.access kubeconfig'

/**
 * Access by one context of a kubeconfig. The context and its server are those of the start, whatever the file says
 * later: only credentials and authorities follow it.
 * @throws Error with one sentence that says what to change
 */
export async function kubeconfigConnection(parts: KubeconfigParts): Promise<Connection> {
  const { files, log, upstream } = parts
  const paths = kubeconfigFiles(parts.kubeconfig)
  if (paths.length === 0) throw new Error(`${option} names no file.`)
  const { parse } = await import('yaml')

  const read = () => Promise.all(paths.map((path) => files.read(path)))
  function contextOf(texts: string[], name: string | undefined): KubeconfigContext {
    const contents = texts.map((content, index) => ({ path: paths[index] ?? '', content: yamlOf(parse, content) }))
    const context = kubeconfigContext(contents, name)
    if (context.isInsecure) refuseInsecure(option, parts.isLocal)
    return context
  }

  let texts = await read()
  let context = contextOf(texts, parts.context)
  const { name, server } = context
  let exec = execOf(context, parts)

  /** Follows the file, as far as it makes sense. */
  async function follow(): Promise<void> {
    const next = await read()
    if (next.every((content, index) => content === texts[index])) return
    texts = next
    try {
      const changed = contextOf(next, name)
      if (changed.server !== server) throw new Error('it names another server: restart the gateway to go there')
      if (JSON.stringify(changed.exec) !== JSON.stringify(context.exec)) exec = execOf(changed, parts)
      context = changed
    } catch (error) {
      log.error({ upstream, cause: (error as Error).message }, 'the kubeconfig has changed and is not followed')
    }
  }

  const textOf = async (material: Material): Promise<string | undefined> =>
    material && ('text' in material ? material.text : files.read(material.file))

  return {
    url: serviceUrl(option, server),
    async credentials() {
      await follow()
      const { servername, isInsecure } = context
      const [ca, cert, key, token, handed] = await Promise.all([
        textOf(context.ca),
        textOf(context.cert),
        textOf(context.key),
        textOf(context.token),
        exec?.current(),
      ])
      const tls: Tls = { rejectUnauthorized: !isInsecure }
      if (ca) tls.ca = ca
      if (servername) tls.servername = servername
      if (cert && key) Object.assign(tls, { cert, key })
      if (handed?.cert && handed.key) Object.assign(tls, { cert: handed.cert, key: handed.key })
      return { tls, token: token ? checkedToken(token, option) : handed?.token }
    },
    refused: () => exec?.refused(),
  }
}

const execOf = ({ exec }: KubeconfigContext, { upstream, ...parts }: KubeconfigParts): ExecCredentials | undefined =>
  exec && execCredentials({ ...parts, upstream, config: exec })

/** @throws Error without the text around the fault, which may be a secret */
function yamlOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text)
  } catch {
    throw new Error('The kubeconfig is no YAML.')
  }
}
