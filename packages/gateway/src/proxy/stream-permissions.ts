import { isStream } from '@slipway/kube/api-request'
import type { ResourceAttributes } from '@slipway/kube/core-types'
import type { Route } from '../gateway-request'
import { pluginKinds } from '../plugins/plugin-kinds'
import type { ApiTarget } from '../target'

/**
 * The permissions that a user needs as long as a response is open; the cluster decides about all of them. None for what a
 * cluster sends at once. A download from a plugin lasts as long as its reader takes.
 */
export function streamPermissions({ upstream, target }: Route): ResourceAttributes[] {
  const plugin = pluginKinds.find(({ name }) => name === upstream)
  return plugin ? plugin.permissions(target) : clusterPermissions(target)
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
