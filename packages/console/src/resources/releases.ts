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
  /** What became of each and when, and nothing else of them. */
  outcomes: (namespace: string) => listQuery(releaseType, { namespace, mask: releaseOutcomeFields }),
  /** Of which plan each is, and how far it is. */
  progress: (namespace: string) => listQuery(releaseType, { namespace, mask: progressFields }),
}
