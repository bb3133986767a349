import type { FieldPath } from '@slipway/kube/field-mask'
import { rowFields } from './row-fields'

/** The fields of rows of applications. */
export const applicationFields: readonly FieldPath[] = [...rowFields, 'spec.displayName']
