import { isRecord } from '@slipway/kube/object'
import { TextCollector } from '../body-limits.js'
import { childPath, ownValue, type JsonObject } from './json'
import type { JsonSchema } from './json-schema'

/** Properties with these names, each of any value. */
const fieldsNamed = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, { 'x-kubernetes-preserve-unknown-fields': true }]))
const itemsWith = (...names: string[]): JsonSchema => ({ items: { properties: fieldsNamed(...names) } })

/** The fields of metadata, without their types. */
const metadataFields: JsonSchema = {
  properties: {
    ...fieldsNamed('name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation'),
    ...fieldsNamed('creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'),
    ...fieldsNamed('labels', 'annotations', 'finalizers'),
    ownerReferences: itemsWith('apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'),
    managedFields: itemsWith('manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'),
  },
}

const resourceFields = ['apiVersion', 'kind', 'metadata']

type OnUnknown = (holder: JsonObject, key: string, path: string) => void

/** Removes unknown fields in place. `object` is a complete resource. */
export const prune = (schema: JsonSchema, object: object): void =>
  walk(schema, object, '', true, (holder, key) => delete holder[key])

/** Sorted paths that `prune` would remove, or the first of very many: `spec.foo`, `spec.list[0].bar`. */
export function unknownFields(schema: JsonSchema, object: object): string[] {
  const paths = new TextCollector()
  walk(schema, object, '', true, (_holder, _key, path) => paths.add(() => path))
  return paths.texts.sort()
}

function walk(
  schema: JsonSchema | undefined,
  value: unknown,
  path: string,
  isResource: boolean,
  onUnknown: OnUnknown,
): void {
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      const items = schema?.items
      walk(items, item, `${path}[${i}]`, !!items?.['x-kubernetes-embedded-resource'], onUnknown)
    })
    return
  }
  if (!isRecord(value)) return
  // Below a preserving node, everything without its own schema is kept.
  const preservesUnknown = schema === undefined || !!schema['x-kubernetes-preserve-unknown-fields']
  for (const key of Object.keys(value)) {
    const at = childPath(path, key)
    if (isResource && resourceFields.includes(key)) {
      if (key === 'metadata') walk(metadataFields, value[key], at, false, onUnknown)
      continue
    }
    const known = ownValue(schema?.properties, key) ?? schema?.additionalProperties
    if (typeof known === 'object') {
      walk(known, value[key], at, !!known['x-kubernetes-embedded-resource'], onUnknown)
    } else if (!preservesUnknown && known !== true) onUnknown(value, key, at)
  }
}
