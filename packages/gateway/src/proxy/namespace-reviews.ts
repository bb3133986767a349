import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import { subjectAccessReviewType } from '@slipway/kube/core-types'
import { expiringCache } from '@slipway/kube/expiring-cache'
import { nameOf, type KubeList } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import { upstreamGroups } from '../session/identity'
import { toGatewayCallError, type Kubernetes } from '../upstreams/kubernetes'
import { checkIdentity, type Caller } from '../upstreams/outgoing'
import { isSelected, parseNamespaceList, namespacesPath, parseSelection, type NamespaceLister } from './namespaces'

const maxConcurrentReviews = 16

interface ReviewsParts {
  kubernetes: Kubernetes
  selector: string
  cacheMs: number
  /** Counts calls for a user. @throws HttpError 429 above the limit */
  charge(caller: Caller, calls: number): void
  clock: Clock
}

/** What is cached for a user: all namespaces, and which of those that were reviewed the user may get. */
interface UserNamespaces {
  list: KubeList
  /** By name: the reviews that include this namespace. They resolve to the names that the user may get. */
  reviews: Map<string, Promise<ReadonlySet<string>>>
}

/**
 * Lists namespaces as the gateway and filters them with an access review of the user for each namespace. Selectors are
 * applied to the cached list, so that any number of them costs one review of each namespace.
 */
export function createAccessReviewLister({
  kubernetes,
  selector,
  cacheMs,
  charge,
  clock,
}: ReviewsParts): NamespaceLister {
  const { kubeClient, name } = kubernetes
  const cache = expiringCache<UserNamespaces>(clock, cacheMs)
  const upstreamQuery = parseSelection('', selector).query

  async function fetchNamespaces(): Promise<UserNamespaces> {
    try {
      const list = parseNamespaceList(await kubeClient.request(`${namespacesPath}${upstreamQuery}`), name)
      return { list, reviews: new Map() }
    } catch (error) {
      throw toGatewayCallError(error, name)
    }
  }

  /** Reviews the namespaces that have not been reviewed yet. Failed reviews are repeated by the next request. */
  async function findAllowed(caller: Caller, { reviews }: UserNamespaces, names: string[]): Promise<Set<string>> {
    const missing = names.filter((each) => !reviews.has(each))
    if (missing.length > 0) {
      charge(caller, missing.length)
      const batch = reviewAll(caller, missing)
      for (const each of missing) reviews.set(each, batch)
      batch.catch(() => missing.forEach((each) => reviews.delete(each)))
    }
    const allowed = await Promise.all(new Set(names.map((each) => reviews.get(each))))
    return new Set(allowed.flatMap((each) => [...(each ?? [])]))
  }

  async function reviewAll({ identity }: Caller, namespaces: string[]): Promise<ReadonlySet<string>> {
    const groups = upstreamGroups(identity)
    try {
      return await filterConcurrently(namespaces, async (namespace) => {
        const resourceAttributes = { verb: 'get', version: 'v1', resource: 'namespaces', namespace, name: namespace }
        const spec = { user: identity.user, groups, resourceAttributes }
        return (await kubeClient.review(subjectAccessReviewType, spec))?.allowed === true
      })
    } catch (error) {
      throw toGatewayCallError(error, name)
    }
  }

  return {
    async list({ caller }, query) {
      const { identity } = caller
      checkIdentity(identity)
      const selection = parseSelection(query, '')
      const key = JSON.stringify([identity.user, upstreamGroups(identity)])
      const cached = await cache(key, fetchNamespaces)
      const items = cached.list.items.filter((item) => isSelected(item, selection))
      const allowed = await findAllowed(caller, cached, items.map(nameOf))
      return { ...cached.list, items: items.filter((item) => allowed.has(nameOf(item))) }
    },
  }
}

/** Lists namespaces with the gateway's own credentials. */
export const createGatewayLister = ({
  kubernetes,
  selector,
}: Pick<ReviewsParts, 'kubernetes' | 'selector'>): NamespaceLister => ({
  async list({ caller }, query) {
    checkIdentity(caller.identity)
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

/** The items that pass the test. One failed test fails all, since a partial list would look complete. */
async function filterConcurrently<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<Set<T>> {
  const passed = new Set<T>()
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) if (await test(item)) passed.add(item)
  }
  await Promise.all(Array.from({ length: maxConcurrentReviews }, worker))
  return passed
}
