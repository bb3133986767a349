import type { FieldPath } from '@slipway/kube/field-mask'
import { releasePlanType } from '@slipway/model/supply-chain/release-plan'
import { listQuery } from '../api/queries'

const ownerFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'spec.application',
]

export const releasePlans = {
  /** Only their applications. */
  owners: (namespace: string) => listQuery(releasePlanType, { namespace, mask: ownerFields }),
}
