import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { annotations, labels } from '../labels'
import { rowFields } from './row-fields'

/** What decides whose test it is, of which snapshots, and of which kind. */
export const integrationTestContextFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  fieldPath('metadata', 'labels', labels.optional),
  fieldPath('metadata', 'annotations', annotations.testKind),
  'spec.application',
  'spec.componentGroup',
  'spec.contexts.name',
]

/** The fields of rows of integration tests. Parameters are not among them. */
export const integrationTestFields: readonly FieldPath[] = [
  ...new Set([...rowFields, ...integrationTestContextFields]),
  'spec.resolverRef',
  'status.conditions',
]
