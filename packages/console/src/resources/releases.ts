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

const progressFields: readonly FieldPath[] = [
  ...outcomeFields,
  'metadata.creationTimestamp',
  'spec.releasePlan',
  'status.startTime',
]

export const releases = {
  list: (namespace: string) => listQuery(releaseType, { namespace }),
  /** What became of each and when, and nothing else of them. */
  outcomes: (namespace: string) => listQuery(releaseType, { namespace, mask: outcomeFields }),
  /** Of which plan each is, and how far it is. */
  progress: (namespace: string) => listQuery(releaseType, { namespace, mask: progressFields }),
  get: (namespace: string, name: string) => getQuery(releaseType, { namespace, name }, { live: true }),
}
