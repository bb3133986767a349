import { configMapType } from '@slipway/kube/core-types'
import { isRejection } from '@slipway/kube/status'
import { conditionNames, type ConditionName, type Conditions } from '@slipway/model/platform/flag'
import { parsePublicInfo, publicInfoLocation } from '@slipway/model/platform/public-info'
import { queryOptions } from '@tanstack/react-query'
import { hasKubeArchive } from '../archive/installed'
import { getQuery } from '../queries'
import { queryClient } from '../query-client'

const finders: Record<ConditionName, () => Promise<boolean>> = {
  isKubearchiveEnabled: hasKubeArchive,
  isStagingCluster: async () =>
    parsePublicInfo(await queryClient.fetchQuery(getQuery(configMapType, publicInfoLocation))).environment ===
    'staging',
}

/** How long a condition that could not be checked counts as false before it is checked again. */
const uncheckedMs = 10_000

export const conditionsQuery = queryOptions({
  queryKey: ['flags', 'conditions'],
  queryFn: async (): Promise<Conditions> => {
    const results = conditionNames.map((name) =>
      finders[name]().then(
        (holds) => [[name, holds] as const],
        // Nothing has answered: it is checked again.
        (error: unknown) => (isRejection(error) ? [[name, false] as const] : []),
      ),
    )
    return Object.fromEntries((await Promise.all(results)).flat())
  },
  staleTime: ({ state: { data } }) => (conditionNames.every((name) => name in (data ?? {})) ? Infinity : uncheckedMs),
  gcTime: Infinity,
})

/** Which conditions hold on this platform, checked once. One that cannot be checked is left out, and counts as false. */
export const conditions = (): Promise<Conditions> => queryClient.fetchQuery(conditionsQuery)
