import { namespaceType } from '@slipway/kube/core-types'
import { getQuery, listQuery } from '../api/queries'

const staleMs = 500_000

export const namespaces = {
  /**
   * The namespaces that the user can see. They are listed by a separate service, which does not support watches, so pages
   * that show them read them again when they are no longer fresh.
   */
  list: () => ({ ...listQuery(namespaceType, {}, { live: false, staleMs }), refetchInterval: staleMs }),
  get: (name: string) => getQuery(namespaceType, { name }, { staleMs }),
}
