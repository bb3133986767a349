import type { FieldPath } from '@slipway/kube/field-mask'

/** What tables read of every row: its name and page, its age, and whether it is being deleted. */
export const rowFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
]
