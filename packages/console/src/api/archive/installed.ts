import { createKubeClient } from '@slipway/kube/client'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../client'
import { isInstalled } from '../plugin-probe'
import { queryClient } from '../query-client'

/** Which archives are installed. Each is probed once, and one that is not installed is never called. */

const archives = createKubeClient({ baseUrl: '/api/k8s/plugins', fetch: noteInstalled })

/** Whether KubeArchive is installed. One that cannot be reached is not the same as none. */
export const kubeArchiveProbe = queryOptions({
  queryKey: ['archive', 'kubearchive'],
  queryFn: ({ signal }) => isInstalled(archives.text('/kubearchive/livez', { signal })),
  staleTime: Infinity,
  gcTime: Infinity,
})

/**
 * Not retried here, since what needs to know is: the history of a platform with both must not wait for one that is down.
 * @throws if that is not known, since nothing has answered
 */
export const hasKubeArchive = (): Promise<boolean> => queryClient.ensureQueryData({ ...kubeArchiveProbe, retry: false })

/** Few users have the permission for all namespaces, without which Tekton Results responds 401. */
const anyResult = '/tekton-results/apis/results.tekton.dev/v1alpha2/parents/-/results?page_size=5'

const resultsProbe = queryOptions({
  queryKey: ['archive', 'tekton-results'],
  queryFn: ({ signal }) =>
    archives.text(anyResult, { signal }).then(
      () => true,
      // A gateway may pass what it does not know on to the cluster, which allows most users no such path.
      (error: unknown) => !isNotFound(error) && !isForbidden(error),
    ),
  staleTime: Infinity,
  gcTime: Infinity,
})

/** Whether Tekton Results is installed. It may still turn out not to be, which `noteNoResults` reports. */
export async function hasResults(): Promise<boolean> {
  // The response may say this too.
  const isAlone = (await hasKubeArchive().catch(() => undefined)) === false
  // Then there is no choice, and the first request shows whether it is there.
  return isAlone
    ? (queryClient.getQueryData(resultsProbe.queryKey) ?? true)
    : queryClient.ensureQueryData({ ...resultsProbe, retry: false })
}

/** After a 404 of Tekton Results. */
export const noteNoResults = (): void => void queryClient.setQueryData(resultsProbe.queryKey, false)

/** The gateway names its plugins with each response of one, even with the 404 for one that it does not have. */
async function noteInstalled(...call: Parameters<typeof fetch>): Promise<Response> {
  const response = await send(...call)
  const names = response.headers.get('slipway-plugins')?.split(',')
  if (names) queryClient.setQueryData(resultsProbe.queryKey, names.includes('tekton-results'))
  return response
}
