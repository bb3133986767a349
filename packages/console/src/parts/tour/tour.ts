import { configMapType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { parsePublicInfo, publicInfoLocation } from '@slipway/model/platform/public-info'
import type { TourStep } from '@slipway/model/platform/tour'
import { queryOptions } from '@tanstack/react-query'
import { accessQuery } from '../../api/access/access'
import { getQuery } from '../../api/queries'
import { queryClient } from '../../api/query-client'
import { namespaceInPath } from '../../paths'

/** The steps of the tour: none where the platform offers no tour, or where the user may not see what it shows. */
export const tourQuery = queryOptions({
  queryKey: ['tour'],
  queryFn: async (): Promise<TourStep[]> => {
    const { tour } = parsePublicInfo(await queryClient.fetchQuery(getQuery(configMapType, publicInfoLocation)))
    const namespaces = new Set(tour.flatMap(({ path }) => namespaceInPath(path) ?? []))
    const reviews = [...namespaces].map((namespace) =>
      queryClient.fetchQuery(accessQuery({ verb: 'list', type: applicationType, namespace })),
    )
    return (await Promise.all(reviews)).every(Boolean) ? tour : []
  },
  staleTime: Infinity,
  // It is only an offer.
  retry: false,
})
