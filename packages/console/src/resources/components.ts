import type { FieldPath } from '@slipway/kube/field-mask'
import { componentType } from '@slipway/model/component'
import { getQuery, listQuery } from '../api/queries'

const countedFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'spec.application',
]

export const components = {
  list: (namespace: string) => listQuery(componentType, { namespace }),
  /** Which there are and of which application, and nothing else of them. */
  counted: (namespace: string) => listQuery(componentType, { namespace, mask: countedFields }),
  get: (namespace: string, name: string) => getQuery(componentType, { namespace, name }, { live: true }),
}
