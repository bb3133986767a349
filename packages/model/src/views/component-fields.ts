import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { annotations } from '../labels'

/** What tells components apart: their names, applications and the secrets that they name themselves. */
export const componentNameFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'spec.application',
  'spec.secret',
]

/** The fields of rows of components. */
export const componentFields: readonly FieldPath[] = [
  ...componentNameFields,
  'metadata.creationTimestamp',
  ...[
    annotations.sample,
    annotations.buildRequest,
    annotations.buildStatus,
    annotations.lastApplied,
    annotations.gitProvider,
    annotations.lastBuiltTime,
  ].map((key) => fieldPath('metadata', 'annotations', key)),
  'spec.source.git',
  'spec.source.url',
  'spec.containerImage',
  'spec.build-nudges-ref',
  'status.lastBuiltCommit',
  'status.lastPromotedImage',
]
