import type { KubeList, KubeObject } from '@slipway/kube/object'
import { Refusal } from '../refusal'
import type { Clock } from '@slipway/kube/clock'
import { upstreamGroups, type Identity } from '../session/identity'
import type { Target } from '../target'
import type { Upstream } from './upstream'

/** Most users may not list namespaces; this answers which ones they may get. */
export interface NamespaceLister {
  /** @param query of the user's request; only its label and field selectors count */
  list(identity: Identity, query: string): Promise<KubeList>
}

const path = '/api/v1/namespaces'
const maxConcurrentReviews = 16

export const isNamespaceList = (target: Target): boolean => target.path === path || target.path === `${path}/`

/** @throws Refusal 405: the list is computed for each user, so that there is nothing to watch */
export function refuseWatch(query: string): void {
  // The API server takes any value but these for true.
  const isWatch = new URLSearchParams(query).getAll('watch').some((value) => !/^(false|0)$/i.test(value))
  if (isWatch) throw new Refusal(405, 'The list of namespaces cannot be watched: list it again instead.')
}

interface ListerParts {
  upstream: Upstream
  /** Label selector that every namespace in an answer matches; empty for all. */
  selector: string
  keepMs: number
  clock: Clock
}

export function createNamespaceLister({ upstream, selector, keepMs, clock }: ListerParts): NamespaceLister {
  const kept = new Map<string, { until: number; list: Promise<KubeList> }>()

  async function compute(groups: string[], user: string, query: string): Promise<KubeList> {
    const { metadata, items } = await upstream.asGateway<Partial<KubeList>>('GET', `${path}${query}`)
    if (!Array.isArray(items)) throw new Refusal(502, `${upstream.name} answered no list of namespaces.`)
    const visible = await keepIf(items, (item) => mayGet(user, groups, item.metadata.name ?? ''))
    const { resourceVersion } = metadata ?? {}
    return { kind: 'NamespaceList', apiVersion: 'v1', metadata: { resourceVersion }, items: visible }
  }

  async function mayGet(user: string, groups: string[], namespace: string): Promise<boolean> {
    const resourceAttributes = { verb: 'get', version: 'v1', resource: 'namespaces', namespace, name: namespace }
    const review = await upstream.asGateway<KubeObject & { status?: { allowed?: unknown } }>(
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, groups, resourceAttributes },
      },
    )
    return review.status?.allowed === true
  }

  return {
    list(identity, query) {
      const now = clock.now()
      for (const [key, { until }] of kept) if (until <= now) kept.delete(key)
      const groups = upstreamGroups(identity)
      const upstreamQuery = selectorsOf(query, selector)
      const key = JSON.stringify([identity.user, groups, upstreamQuery])
      const known = kept.get(key)
      if (known) return known.list
      // Kept while it is still being computed, so that a page asking twice costs the reviews once.
      const list = compute(groups, identity.user, upstreamQuery)
      kept.set(key, { until: now + keepMs, list })
      list.catch(() => kept.delete(key))
      return list
    },
  }
}

function selectorsOf(query: string, selector: string): string {
  const asked = new URLSearchParams(query)
  const labels = [selector, asked.get('labelSelector')].filter(Boolean).join(',')
  const wanted = new URLSearchParams()
  if (labels) wanted.set('labelSelector', labels)
  const fields = asked.get('fieldSelector')
  if (fields) wanted.set('fieldSelector', fields)
  return wanted.size > 0 ? `?${wanted}` : ''
}

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
