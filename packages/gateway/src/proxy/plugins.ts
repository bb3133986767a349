import { notFound, HttpError } from '../http-error'
import type { ApiTarget, Route } from '../gateway-request'
import type { Plugin } from '../upstreams/plugin'
import type { Upstreams } from '../upstreams/upstreams'
import { checkKubernetesPath } from './kubernetes-path'

export type Plugins = Pick<Upstreams, 'tektonResults' | 'kubeArchive'>

const version = /^v\d+((alpha|beta)\d+)?$/

/** `/apis/results.tekton.dev/v1alpha2/parents/…` and nothing else. */
const isResultsPath = ([root, group, name = '', parents, parent]: readonly string[]): boolean =>
  root === 'apis' && group === 'results.tekton.dev' && version.test(name) && parents === 'parents' && Boolean(parent)

/** The archive mirrors the Kubernetes API. @throws HttpError for a blocked subresource */
function isArchivePath(target: ApiTarget): boolean {
  const [root, ...rest] = target.segments
  if (root === 'livez') return rest.length === 0
  if (root !== 'api' && root !== 'apis') return false
  checkKubernetesPath(target)
  return true
}

/**
 * The plugin that a request is for.
 * @throws HttpError 405 for a write, 404 for a missing plugin or path, 503 for a plugin that has not answered yet
 */
export async function pluginFor(
  method: string,
  { upstream, target }: Route,
  { tektonResults, kubeArchive }: Plugins,
): Promise<Plugin> {
  const isResults = upstream === 'tekton-results'
  const plugin = isResults ? tektonResults : kubeArchive
  if (!plugin || !(isResults ? isResultsPath(target.segments) : isArchivePath(target))) throw notFound()
  if (method !== 'GET') throw new HttpError(405, `${plugin.name} is read-only.`)
  await plugin.ensurePresent()
  return plugin
}
