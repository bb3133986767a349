import { clusterRoleType } from '@slipway/kube/core-types'
import { getQuery } from '../api/queries'

export const clusterRoles = {
  /** Many users may not read roles. */
  get: (name: string) => getQuery(clusterRoleType, { name }),
}
