import { selfSubjectReviewType } from '@slipway/kube/core-types'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client'

/** Who the user is to the cluster, with the groups that bindings may name. */
export const clusterUser = queryOptions({
  queryKey: ['cluster user'],
  queryFn: async ({ signal }) => {
    const { status } = await client.create(selfSubjectReviewType, { metadata: {} }, { signal })
    return { username: status?.userInfo?.username ?? '', groups: status?.userInfo?.groups ?? [] }
  },
  staleTime: 60_000,
  retry: false,
})
