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

/** The archive mirrors the Kubernetes API. @throws Refusal for a closed subresource */
function isArchivePath(segments: readonly string[]): boolean {
  const [root, ...rest] = segments
  if (root === 'livez') return rest.length === 0
  if (root !== 'api' && root !== 'apis') return false
  checkKubernetesPath(segments)
  return true
}

/** A target under `/plugins/`, which belongs to no Kubernetes API. */
export const isPluginTarget = ({ segments }: Target): boolean => segments[0] === 'plugins'

/**
 * The plugin that a target is for, and the target there.
 * @throws Refusal 405 for a write, 404 for a plugin or path that is not there
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
  for (const [prefix, plugin, isOpen] of routes) {
    const inner = targetUnder(prefix, target)
    if (!inner || !plugin || !isOpen(inner.segments)) continue
    if (method !== 'GET') throw new HttpError(405, `${plugin.name} can only be read.`)
    if (await plugin.isPresent()) return { plugin, target: inner }
  }
  throw notFound()
}
