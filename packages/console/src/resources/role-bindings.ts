import { roleBindingType } from '@slipway/kube/core-types'
import { getQuery, listQuery } from '../api/queries'

export const roleBindings = {
  list: (namespace: string) => listQuery(roleBindingType, { namespace }),
  get: (namespace: string, name: string) => getQuery(roleBindingType, { namespace, name }),
}
