import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { expiringCache } from '@slipway/kube/expiring-cache'
import { asArray, asRecord } from '@slipway/kube/parse'
import { apiVersionOf, inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { isNotFound } from '@slipway/kube/status'

/** A platform moves its kinds to other groups in days, and while it does, its pages are read again anyway. */
const cacheMs = 300_000

/**
 * Returns a function that fetches in which groups the cluster serves a kind (ADR 62). If none is known to serve it, it is
 * the declared one, whose own response says so. It rejects with `ApiError`.
 */
export function createServedTypes(client: Pick<KubeClient, 'request'>, clock: Clock) {
  const resources = expiringCache<readonly string[]>(clock, cacheMs)

  const pluralsIn = (type: ResourceType) => {
    const path = `/apis/${apiVersionOf(type)}`
    return resources(path, async () => {
      const response = await client.request(path).catch((error: unknown) => {
        if (isNotFound(error)) return {}
        throw error
      })
      return asArray(asRecord(response).resources).map((each) => String(asRecord(each).name))
    })
  }

  return async (type: ResourceType): Promise<readonly ResourceType[]> => {
    if (!type.newerGroups) return [type]
    const served: ResourceType[] = []
    for (const each of inEachGroup(type)) if ((await pluralsIn(each)).includes(each.plural)) served.push(each)
    return served.length > 0 ? served : [type]
  }
}
