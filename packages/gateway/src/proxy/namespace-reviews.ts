import type { Clock } from '@slipway/kube/clock'
import { subjectAccessReviewType } from '@slipway/kube/core-types'
import { expiringCache } from '@slipway/kube/expiring-cache'
import type { KubeList } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { HttpError } from '../http-error'
import { upstreamGroups } from '../session/identity'
import { toGatewayCallError, type Kubernetes } from '../upstreams/kubernetes'
import { checkIdentity } from './headers'
import { parseNamespaceList, namespacesPath, parseSelection, type NamespaceLister } from './namespaces'

const maxConcurrentReviews = 16

interface ReviewsParts {
  kubernetes: Kubernetes
  selector: string
  cacheMs: number
  clock: Clock
}

/** Lists namespaces as the gateway and filters them with an access review of the user for each namespace. */
export function createAccessReviewLister({ kubernetes, selector, cacheMs, clock }: ReviewsParts): NamespaceLister {
  const { kubeClient, name } = kubernetes
  const cache = expiringCache<KubeList>(clock, cacheMs)

  async function compute(user: string, groups: string[], query: string): Promise<KubeList> {
    try {
      const list = parseNamespaceList(await kubeClient.request(`${namespacesPath}${query}`), name)
      return {
        ...list,
        items: await filterConcurrently(list.items, (item) => mayGet(user, groups, item.metadata.name ?? '')),
      }
    } catch (error) {
      throw toGatewayCallError(error, name)
    }
  }

  async function mayGet(user: string, groups: string[], namespace: string): Promise<boolean> {
    const resourceAttributes = { verb: 'get', version: 'v1', resource: 'namespaces', namespace, name: namespace }
    const review = await kubeClient.review(subjectAccessReviewType, { user, groups, resourceAttributes })
    return review?.allowed === true
  }

  return {
    async list({ identity }, query) {
      checkIdentity(identity)
      const groups = upstreamGroups(identity)
      const { query: upstreamQuery } = parseSelection(query, selector)
      const key = JSON.stringify([identity.user, groups, upstreamQuery])
      return cache(key, () => compute(identity.user, groups, upstreamQuery))
    },
  }
}

/** Lists namespaces with the gateway's own credentials. */
export const createGatewayLister = ({
  kubernetes,
  selector,
}: Pick<ReviewsParts, 'kubernetes' | 'selector'>): NamespaceLister => ({
  async list({ identity }, query) {
    checkIdentity(identity)
    const { kubeClient, name } = kubernetes
    try {
      return parseNamespaceList(
        await kubeClient.request(`${namespacesPath}${parseSelection(query, selector).query}`),
        name,
      )
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) {
        throw new HttpError(403, `${name} does not let the gateway's credentials list namespaces.`)
      }
      throw toGatewayCallError(error, name)
    }
  },
})

/** The items that pass the test, in order. One failed test fails all, since a partial list would look complete. */
async function filterConcurrently<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const passed = new Set<T>()
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) if (await test(item)) passed.add(item)
  }
  await Promise.all(Array.from({ length: maxConcurrentReviews }, worker))
  return items.filter((item) => passed.has(item))
}
