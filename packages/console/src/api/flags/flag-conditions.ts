import { configMapType } from '@slipway/kube/core-types'
import { conditionNames, type ConditionName, type Conditions } from '@slipway/model/platform/flag'
import { parsePublicInfo, publicInfoLocation } from '@slipway/model/platform/public-info'
import { queryOptions } from '@tanstack/react-query'
import { hasKubeArchive } from '../archive/kube-archive'
import { getQuery } from '../queries'
import { queryClient } from '../query-client'

const finders: Record<ConditionName, () => Promise<boolean>> = {
  isKubearchiveEnabled: hasKubeArchive,
  isStagingCluster: async () =>
    parsePublicInfo(await queryClient.fetchQuery(getQuery(configMapType, publicInfoLocation))).environment ===
    'staging',
}

export const conditionsQuery = queryOptions({
  queryKey: ['flags', 'conditions'],
  queryFn: async (): Promise<Conditions> => {
    const results = conditionNames.map((name) =>
      finders[name]().then(
        (holds) => [name, holds] as const,
        () => [name, false] as const,
      ),
    )
    return Object.fromEntries(await Promise.all(results))
  },
  staleTime: Infinity,
  gcTime: Infinity,
})

/** Which conditions hold on this platform, checked once. One that cannot be checked counts as false. */
export const conditions = (): Promise<Conditions> => queryClient.ensureQueryData(conditionsQuery)
