import { namespaceType } from '@slipway/kube/core-types'
import { getQuery, listQuery } from '../api/queries'

const staleMs = 500_000

export const namespaces = {
  /** Those that the user may see. A cluster lists them through a service of its own, which knows no watch. */
  list: () => listQuery(namespaceType, {}, { live: false, staleMs }),
  get: (name: string) => getQuery(namespaceType, { name }, { staleMs }),
}
