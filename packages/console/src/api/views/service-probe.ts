import { createKubeClient } from '@slipway/kube/client'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../client'
import { isInstalled } from '../plugin-probe'
import { queryClient } from '../query-client'

/** The service for views, by HTTP. */
export const service = createKubeClient({ baseUrl: '/api/k8s/plugins/views', fetch: send })

/** Whether the cluster has a service for views. */
export const viewsServiceQuery = queryOptions({
  queryKey: ['views', 'service'],
  queryFn: ({ signal }) => isInstalled(service.text('/livez', { signal })),
  staleTime: Infinity,
  gcTime: Infinity,
  // The caller has a back-off of its own.
  retry: false,
})

/**
 * Whether the cluster has a service for views.
 * @param isAgain to request it although the answer is remembered: the service may have been removed, or installed
 * @throws ApiError if that is not known, since nothing has answered
 */
export const findViewsService = (isAgain: boolean): Promise<boolean> =>
  queryClient.fetchQuery({ ...viewsServiceQuery, staleTime: isAgain ? 0 : Infinity })
