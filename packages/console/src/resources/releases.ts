import type { FieldPath } from '@slipway/kube/field-mask'
import { releaseType } from '@slipway/model/supply-chain/release'
import { listQuery } from '../api/queries'
import { releaseOutcomeFields } from './listed-fields'

const progressFields: readonly FieldPath[] = [
  ...releaseOutcomeFields,
  'metadata.creationTimestamp',
  'spec.releasePlan',
  'status.startTime',
]

export const releases = {
  /** Only their outcomes and times. */
  outcomes: (namespace: string) => listQuery(releaseType, { namespace, mask: releaseOutcomeFields }),
  /** Only their plans and progress. */
  progress: (namespace: string) => listQuery(releaseType, { namespace, mask: progressFields }),
}
