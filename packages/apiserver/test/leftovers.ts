import type { Leftovers } from './api-client'
import { eventually } from './api-fixtures'

export function createLeftovers(): Leftovers {
  const atClusterScope = new Set<string>()
  const held = new Set<string>()
  return {
    note(method, path, { code, body }) {
      if (!['POST', 'PUT', 'PATCH'].includes(method) || code >= 300 || !body?.metadata?.uid) return
      const [collection = '', query = ''] = path.split('?')
      if (query.includes('dryRun')) return
      const { name, namespace, finalizers } = body.metadata
      const place = method === 'POST' ? `${collection}/${encodeURIComponent(name)}` : collection
      if (code === 201 && namespace === undefined) atClusterScope.add(place)
      // A namespace is not deleted before its objects.
      if (namespace !== undefined && finalizers?.length > 0) held.add(place.replace(/\/status$/, ''))
    },
    async remove(api) {
      for (const path of held) await api.patch(path, 'merge', { metadata: { finalizers: null } })
      for (const path of atClusterScope) await api.delete(path)
      for (const path of atClusterScope) await eventually(async () => (await api.get(path)).code === 404)
    },
  }
}
