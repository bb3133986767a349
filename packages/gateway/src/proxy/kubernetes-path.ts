import { notFound, HttpError } from '../http-error'

/** What a console has business with; `/metrics`, `/logs` and `/debug` of an API server are not among it. */
const roots = new Set(['api', 'apis', 'openapi', 'version'])

/** Subresources that open a way into the network behind the cluster, or into a container. */
const closedSubresources = new Set(['attach', 'exec', 'portforward', 'proxy'])

/**
 * Lets only paths of the Kubernetes API pass.
 * @param segments decoded, from the API's root: `['api', 'v1', 'namespaces']`
 * @throws Refusal 404 for what is no path of the API, 403 for a closed subresource
 */
export function checkKubernetesPath(segments: readonly string[]): void {
  const [root = ''] = segments
  if (!roots.has(root)) throw notFound()
  const subresource = subresourceOf(segments)
  if (subresource && closedSubresources.has(subresource)) {
    throw new HttpError(403, `The gateway does not pass on ${subresource}.`)
  }
}

function subresourceOf(segments: readonly string[]): string | undefined {
  let rest = segments.slice(segments[0] === 'apis' ? 3 : 2)
  // The old spellings: /api/v1/watch/pods, /api/v1/proxy/nodes/a.
  if (rest[0] === 'watch') rest = rest.slice(1)
  if (rest[0] === 'proxy') return 'proxy'
  if (rest[0] === 'namespaces' && rest.length > 2) {
    // `namespaces/a/status` is a subresource of the namespace; `namespaces/a/pods` a collection.
    if (rest.length === 3 && closedSubresources.has(rest[2] ?? '')) return rest[2]
    rest = rest.slice(2)
  }
  return rest[2]
}
