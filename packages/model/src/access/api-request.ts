import type { Right } from './missing-right'

/** What a request to the Kubernetes API needs a right for. */
export interface ApiRequest {
  right: Right
  /** `undefined` for cluster-scoped objects and for lists of all namespaces. */
  namespace: string | undefined
}

/**
 * Reads a request as the API server does. `undefined` for one that is not about objects, such as discovery.
 * Kubernetes: "Authorization", "Determine the Request Verb".
 * @param path with its query, such as `/api/v1/namespaces/a/pods?watch=true`
 */
export function parseApiRequest(method: string, path: string): ApiRequest | undefined {
  const { pathname, searchParams } = new URL(path, 'http://cluster')
  const [root, ...rest] = pathname.slice(1).split('/').map(decodeURIComponent)
  if (root !== 'api' && root !== 'apis') return undefined
  const [group = ''] = root === 'apis' ? rest.splice(0, 1) : []
  const [, ...segments] = rest
  // `namespaces/a/pods` is about pods, `namespaces/a` about the namespace.
  const namespace = segments[0] === 'namespaces' ? segments[1] : undefined
  const [plural, name, subresource] = namespace && segments.length > 2 ? segments.slice(2) : segments
  if (!plural) return undefined
  const verb = verbOf(method, name !== undefined, searchParams.get('watch') === 'true')
  return { namespace, right: { verb, type: { group, plural }, subresource, name } }
}

function verbOf(method: string, hasName: boolean, isWatch: boolean): string {
  switch (method) {
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'DELETE':
      return hasName ? 'delete' : 'deletecollection'
    case 'GET':
      if (isWatch) return 'watch'
      return hasName ? 'get' : 'list'
    default:
      return method.toLowerCase()
  }
}
