import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/release'
import { getQuery, listQuery } from '../api/queries'

const outcomeFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  fieldPath('metadata', 'labels', labels.application),
  'status.completionTime',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
]

export const releases = {
  list: (namespace: string) => listQuery(releaseType, { namespace }),
  /** What became of each and when, and nothing else of them. */
  outcomes: (namespace: string) => listQuery(releaseType, { namespace, mask: outcomeFields }),
  get: (namespace: string, name: string) => getQuery(releaseType, { namespace, name }, { live: true }),
}
