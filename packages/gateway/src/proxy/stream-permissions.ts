import { isStream } from '@slipway/kube/api-request'
import type { ResourceAttributes } from '@slipway/kube/core-types'
import type { ApiTarget, Route } from '../gateway-request'

/**
 * The permissions that a user needs as long as a response is open; the cluster decides about all of them. None for what a
 * cluster sends at once. A download from a plugin lasts as long as its reader takes.
 */
export function streamPermissions({ upstream, target }: Route): ResourceAttributes[] {
  switch (upstream) {
    case 'kubernetes':
      return clusterPermissions(target)
    case 'kubearchive':
      return archivePermissions(target)
    case 'tekton-results':
      return resultsPermissions(target)
  }
}

function clusterPermissions({ request, parameters }: ApiTarget): ResourceAttributes[] {
  const { verb, resource } = request
  if (!verb || !resource || !isStream(request, parameters)) return []
  const { group, version, plural, namespace, name = selectedName(parameters), below } = resource
  return [{ verb, group, version, resource: plural, subresource: below[0], namespace, name }]
}

/** The name that a watch of one object selects; the API server decides about it as about a request with that name. */
const selectedName = (parameters: URLSearchParams): string | undefined =>
  /(?:^|,)metadata\.name==?([^,]+)/.exec(parameters.get('fieldSelector') ?? '')?.[1]

const podLogs = { verb: 'get', group: '', version: 'v1', resource: 'pods', subresource: 'log' }

/** Source: kubearchive, cmd/api/auth: the log of an object is that of its pods. */
function archivePermissions({ request: { resource } }: ApiTarget): ResourceAttributes[] {
  if (!resource) return []
  const { group, version, plural, namespace, below } = resource
  const log = { ...podLogs, namespace }
  const isLog = below.at(-1) === 'log'
  if (isLog && group === '' && plural === 'pods') return [log]
  // `/uid/…` instead of a name addresses an object too.
  const name = resource.name === 'uid' && below.length > 0 ? undefined : resource.name
  const verb = resource.name === undefined ? 'list' : 'get'
  return [{ verb, group, version, resource: plural, namespace, name }, ...(isLog ? [log] : [])]
}

/** Source: tektoncd/results, pkg/api/server/v1alpha2/auth: no names, and `-` for all namespaces of a list. */
function resultsPermissions({ segments }: ApiTarget): ResourceAttributes[] {
  const [, group = '', , , parent = '', results, result, collection, name] = segments
  if (results !== 'results') return []
  const verb = name !== undefined || (result !== undefined && collection === undefined) ? 'get' : 'list'
  const namespace = verb === 'list' && parent === '-' ? '' : parent
  return [{ verb, group, resource: collection ?? 'results', namespace }]
}
