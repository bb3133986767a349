import { eventType } from '@slipway/kube/core-types'
import { listQuery } from '../api/queries'

export const events = {
  /** What the cluster noted about one object, for the hour or so that it keeps such notes. */
  of: (namespace: string, name: string) => listQuery(eventType, { namespace, fields: { 'involvedObject.name': name } }),
}
