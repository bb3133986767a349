import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { componentType } from '@slipway/model/component'
import { annotations } from '@slipway/model/labels'
import { getQuery, listQuery } from '../api/queries'

const countedFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'spec.application',
]

const sourceFields: readonly FieldPath[] = [
  ...countedFields,
  fieldPath('metadata', 'annotations', annotations.buildStatus),
  'spec.source.git.revision',
  'status.lastBuiltCommit',
  'status.lastPromotedImage',
]

export const components = {
  list: (namespace: string) => listQuery(componentType, { namespace }),
  /** Which there are and of which application, and nothing else of them. */
  counted: (namespace: string) => listQuery(componentType, { namespace, mask: countedFields }),
  /** Where each comes from, and whether it is built. */
  sources: (namespace: string) => listQuery(componentType, { namespace, mask: sourceFields }),
  get: (namespace: string, name: string) => getQuery(componentType, { namespace, name }, { live: true }),
}
