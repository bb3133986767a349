import { eventType } from '@slipway/kube/core-types'
import { listQuery } from '../api/queries'

export const events = {
  /** The events of one object. A cluster keeps events for about an hour, and Konflux lets no user read them. */
  of: (namespace: string, name: string) =>
    listQuery(eventType, { namespace, fields: { 'involvedObject.name': name } }, { isReviewed: true }),
}
