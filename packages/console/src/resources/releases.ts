import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { releaseType } from '@slipway/model/supply-chain/release'
import { listQuery } from '../api/queries'

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
  /** Only their outcomes and times. */
  outcomes: (namespace: string) => listQuery(releaseType, { namespace, mask: outcomeFields }),
  /** Only their plans and progress. */
  progress: (namespace: string) => listQuery(releaseType, { namespace, mask: progressFields }),
}
