import { isRecord } from '@slipway/kube/object'
import type { JsonSchema } from '../apiextensions/json-schema'
import { emptySet, nodeOf, withSelf, type FieldSet } from './field-set'
import { partsOf } from './parts'

/** The fields that a configuration specifies. Source: structured-merge-diff, typed/tofieldset.go. */
export const fieldsOf = (value: unknown, schema: JsonSchema | undefined): FieldSet =>
  partsOf(value, schema) ? (fieldsBelow(value, schema) ?? emptySet) : emptySet

function fieldsBelow(value: unknown, schema: JsonSchema | undefined): FieldSet | undefined {
  const parts = partsOf(value, schema)
  if (!parts) return emptySet
  const children: Record<string, FieldSet> = {}
  for (const [element, part] of parts) {
    const below = fieldsBelow(part.value, part.schema)
    const isField = !part.isNamed || (isRecord(part.value) && Object.keys(part.value).length === 0)
    const child = isField ? withSelf(below) : below
    if (child) children[element] = child
  }
  return nodeOf(false, children)
}
