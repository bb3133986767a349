import { isNotFound } from '@slipway/kube/status'
import { type NudgeConfig, nudgeConfigName, nudgeConfigType } from '@slipway/model/builds/nudge-config'
import { queryOptions } from '@tanstack/react-query'
import { requireAccess } from '../api/access/access'
import { client } from '../api/client'
import { getKey } from '../api/queries'
import { isServed } from '../api/served-types'

export const nudgeConfigs = {
  /**
   * The relationships of a namespace; `null` if it has no such object. It is not watched, since the platform grants users
   * nothing on this kind, and where it is not served, users without rights would get a 403 for it, too.
   */
  of: (namespace: string) =>
    queryOptions({
      queryKey: getKey(nudgeConfigType, namespace, nudgeConfigName),
      queryFn: async ({ signal }): Promise<NudgeConfig | null> => {
        if (!(await isServed(nudgeConfigType))) return null
        // Reviewed first, since a request that is denied would repeat all reviews of the namespace.
        await requireAccess([{ verb: 'get', type: nudgeConfigType, namespace }])
        return client.get(nudgeConfigType, nudgeConfigName, { namespace, signal }).catch((error: unknown) => {
          if (isNotFound(error)) return null
          throw error
        })
      },
    }),
}
