import { notFound, HttpError } from '../http-error'

/** The roots that a console needs; not an API server's `/metrics`, `/logs` and `/debug`. */
const roots = new Set(['api', 'apis', 'openapi', 'version'])

/** Subresources that give access to the network behind the cluster or to a container. */
const blockedSubresources = new Set(['attach', 'exec', 'portforward', 'proxy'])

/**
 * Allows only paths of the Kubernetes API.
 * @param segments decoded, from the API's root: `['api', 'v1', 'namespaces']`
 * @throws HttpError 404 for a path outside the API, 403 for a blocked subresource
 */
export function checkKubernetesPath(segments: readonly string[]): void {
  const [root = ''] = segments
  if (!roots.has(root)) throw notFound()
  const subresource = subresourceOf(segments)
  if (subresource && blockedSubresources.has(subresource)) {
    throw new HttpError(403, `The gateway does not allow ${subresource}.`)
  }
}

function subresourceOf(segments: readonly string[]): string | undefined {
  let rest = segments.slice(segments[0] === 'apis' ? 3 : 2)
  // The legacy forms: /api/v1/watch/pods, /api/v1/proxy/nodes/a.
  if (rest[0] === 'watch') rest = rest.slice(1)
  if (rest[0] === 'proxy') return 'proxy'
  if (rest[0] === 'namespaces' && rest.length > 2) {
    // `namespaces/a/status` is a subresource of the namespace; `namespaces/a/pods` a collection.
    if (rest.length === 3 && blockedSubresources.has(rest[2] ?? '')) return rest[2]
    rest = rest.slice(2)
  }
  return rest[2]
}
