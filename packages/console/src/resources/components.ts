import { componentType } from '@slipway/model/component'
import { getQuery, listQuery } from '../api/queries'

export const components = {
  list: (namespace: string) => listQuery(componentType, { namespace }),
  get: (namespace: string, name: string) => getQuery(componentType, { namespace, name }, { live: true }),
}
