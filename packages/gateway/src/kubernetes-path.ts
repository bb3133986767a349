import { HttpError } from '@slipway/connect/http-error'
import { notFound } from './http-error'
import type { ApiTarget } from './target'

/** The roots that a console needs; not an API server's `/metrics`, `/logs` and `/debug`. */
const roots = new Set(['api', 'apis', 'openapi', 'version'])

/** Subresources that give access to the network behind the cluster, to a container or to a service account. */
const blockedSubresources = new Set(['attach', 'exec', 'portforward', 'proxy', 'token'])

/**
 * Allows only paths of the Kubernetes API.
 * @throws HttpError 404 for a path outside the API, 403 for a blocked subresource
 */
export function checkKubernetesPath({ segments: [root = ''], request: { resource } }: ApiTarget): void {
  if (!roots.has(root)) throw notFound()
  if (!resource) return
  const { plural, namespace, name, below } = resource
  // The legacy form /api/v1/proxy/nodes/a, and `namespaces/a/exec`, which could be a subresource of the namespace.
  const isBlockedPlural = namespace === undefined ? plural === 'proxy' : name === undefined
  const blocked = [...(isBlockedPlural ? [plural] : []), ...below].find((each) => blockedSubresources.has(each))
  if (blocked) throw new HttpError(403, `The gateway does not allow ${blocked}.`)
}
