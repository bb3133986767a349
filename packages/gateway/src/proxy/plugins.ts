import { notFound, HttpError } from '../http-error'
import { targetUnder, type Target } from '../target'
import type { Plugin } from '../upstreams/plugin'
import type { Upstreams } from '../upstreams/upstreams'
import { checkKubernetesPath } from './kubernetes-path'

export type Plugins = Pick<Upstreams, 'tektonResults' | 'kubeArchive'>

const version = /^v\d+((alpha|beta)\d+)?$/

/** `/apis/results.tekton.dev/v1alpha2/parents/…` and nothing else. */
const isResultsPath = ([root, group, name = '', parents, parent]: readonly string[]): boolean =>
  root === 'apis' && group === 'results.tekton.dev' && version.test(name) && parents === 'parents' && Boolean(parent)

/** The archive mirrors the Kubernetes API. @throws HttpError for a blocked subresource */
function isArchivePath(segments: readonly string[]): boolean {
  const [root, ...rest] = segments
  if (root === 'livez') return rest.length === 0
  if (root !== 'api' && root !== 'apis') return false
  checkKubernetesPath(segments)
  return true
}

/** Whether a target is below `/plugins/`, which is not part of the Kubernetes API. */
export const isPluginTarget = ({ segments }: Target): boolean => segments[0] === 'plugins'

/**
 * The plugin that a target addresses, and the target within it.
 * @throws HttpError 405 for a write, 404 for a missing plugin or path
 */
export async function pluginFor(
  method: string,
  target: Target,
  { tektonResults, kubeArchive }: Plugins,
): Promise<{ plugin: Plugin; target: Target }> {
  const routes: [prefix: string, plugin: Plugin | undefined, isOpen: (segments: readonly string[]) => boolean][] = [
    ['/plugins/tekton-results', tektonResults, isResultsPath],
    ['/plugins/kubearchive', kubeArchive, isArchivePath],
  ]
  for (const [prefix, plugin, isAllowed] of routes) {
    const inner = targetUnder(prefix, target)
    if (!inner || !plugin || !isAllowed(inner.segments)) continue
    if (method !== 'GET') throw new HttpError(405, `${plugin.name} is read-only.`)
    if (await plugin.isPresent()) return { plugin, target: inner }
  }
  throw notFound()
}
