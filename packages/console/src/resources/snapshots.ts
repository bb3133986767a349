import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { getQuery, listQuery } from '../api/queries'

export const snapshots = {
  list: (namespace: string, labels?: Record<string, string>) =>
    listQuery(snapshotType, { namespace, labels }, { orArchive: true }),
  get: (namespace: string, name: string) => getQuery(snapshotType, { namespace, name }, { orArchive: true }),
}
