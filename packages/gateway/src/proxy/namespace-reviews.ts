import type { Clock } from '@slipway/kube/clock'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { HttpError } from '../http-error'
import { upstreamGroups } from '../session/identity'
import { refusalOfOwnCall, type Kubernetes } from '../upstreams/kubernetes'
import { checkIdentity } from './headers'
import { namespaceListOf, namespacesPath, selectionOf, type NamespaceLister } from './namespaces'

const maxConcurrentReviews = 16

interface ReviewsParts {
  kubernetes: Kubernetes
  selector: string
  keepMs: number
  clock: Clock
}

/** Lists as the gateway, and keeps what an access review of each namespace lets the user get. */
export function reviewedNamespaces({ kubernetes, selector, keepMs, clock }: ReviewsParts): NamespaceLister {
  const { kubeClient, name } = kubernetes
  const kept = new Map<string, { until: number; list: Promise<KubeList> }>()

  async function compute(user: string, groups: string[], query: string): Promise<KubeList> {
    try {
      const list = namespaceListOf(await kubeClient.request(`${namespacesPath}${query}`), name)
      return { ...list, items: await keepIf(list.items, (item) => mayGet(user, groups, item.metadata.name ?? '')) }
    } catch (error) {
      throw refusalOfOwnCall(error, name)
    }
  }

  async function mayGet(user: string, groups: string[], namespace: string): Promise<boolean> {
    const resourceAttributes = { verb: 'get', version: 'v1', resource: 'namespaces', namespace, name: namespace }
    const review = await kubeClient.request<KubeObject & { status?: { allowed?: unknown } }>(
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user, groups, resourceAttributes },
        }),
      },
    )
    return review.status?.allowed === true
  }

  return {
    async list({ identity }, query) {
      checkIdentity(identity)
      const now = clock.now()
      for (const [key, { until }] of kept) if (until <= now) kept.delete(key)
      const groups = upstreamGroups(identity)
      const { query: upstreamQuery } = selectionOf(query, selector)
      const key = JSON.stringify([identity.user, groups, upstreamQuery])
      const known = kept.get(key)
      if (known) return known.list
      // Kept while it is still being computed, so that a page asking twice costs the reviews once.
      const list = compute(identity.user, groups, upstreamQuery)
      kept.set(key, { until: now + keepMs, list })
      list.catch(() => kept.delete(key))
      return list
    },
  }
}

/** Lists with the gateway's credentials as they are, for whoever they belong to. */
export const ownNamespaces = ({
  kubernetes,
  selector,
}: Pick<ReviewsParts, 'kubernetes' | 'selector'>): NamespaceLister => ({
  async list({ identity }, query) {
    checkIdentity(identity)
    const { kubeClient, name } = kubernetes
    try {
      return namespaceListOf(await kubeClient.request(`${namespacesPath}${selectionOf(query, selector).query}`), name)
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) {
        throw new HttpError(403, `${name} does not let the gateway's credentials list namespaces.`)
      }
      throw refusalOfOwnCall(error, name)
    }
  },
})

/** The items that pass, in their order; one failed test fails all, since half a list would look whole. */
async function keepIf<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const passed = new Set<T>()
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) if (await test(item)) passed.add(item)
  }
  await Promise.all(Array.from({ length: maxConcurrentReviews }, worker))
  return items.filter((item) => passed.has(item))
}
