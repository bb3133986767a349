import { releaseType } from '@slipway/model/release'
import { getQuery, listQuery } from '../api/queries'

export const releases = {
  list: (namespace: string) => listQuery(releaseType, { namespace }),
  get: (namespace: string, name: string) => getQuery(releaseType, { namespace, name }, { live: true }),
}
