import { createKubeClient } from '@slipway/kube/client'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import type { ApiAccess } from '../authorization-world'

/** Impersonated by the administrator, so that the service has exactly the rights of its account. */
const serviceUser = 'slipway-views-service'

/** Token of a cluster administrator, who may impersonate any user. */
export const adminToken = () => clusterSetting('CONTROL_PLANE_TOKEN')

/** A real API server. */
export async function realAccess(): Promise<ApiAccess> {
  const baseUrl = clusterSetting('CONTROL_PLANE_URL')
  const authorization = `Bearer ${adminToken()}`
  return {
    admin: createKubeClient({ baseUrl, headers: { authorization } }),
    baseUrl,
    serviceUser,
    fetchAsService(request) {
      request.headers.set('authorization', authorization)
      request.headers.set('impersonate-user', serviceUser)
      return fetch(request)
    },
    close: async () => {},
  }
}
