import { podType } from '@slipway/kube/core-types'
import { getQuery } from '../api/queries'

export const pods = {
  get: (namespace: string, name: string) => getQuery(podType, { namespace, name }, { live: true }),
}
