import type { FieldPath } from '@slipway/kube/field-mask'
import { applicationType } from '@slipway/model/application'
import { getQuery, listQuery } from '../api/queries'

const listedFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'spec.displayName',
]

export const applications = {
  list: (namespace: string) => listQuery(applicationType, { namespace, mask: listedFields }),
  get: (namespace: string, name: string) => getQuery(applicationType, { namespace, name }, { live: true }),
}
