import { TextCollector } from '../http/body-limits.js'
import { childPath, isObject, ownValue, type JsonObject } from './json'
import type { JsonSchema } from './json-schema'

const metadataFields = new Set([
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations', 'ownerReferences', 'finalizers'],
  'managedFields',
])
const resourceFields = ['apiVersion', 'kind', 'metadata']

type Found = (holder: JsonObject, key: string, path: string) => void

/** Removes what the schema does not know, in place. `object` is a whole resource. */
export const prune = (schema: JsonSchema, object: object): void =>
  walk(schema, object, '', true, (holder, key) => delete holder[key])

/** Paths that `prune` would remove, sorted, or the first of very many: `spec.foo`, `spec.list[0].bar`. */
export function unknownFields(schema: JsonSchema, object: object): string[] {
  const paths = new TextCollector()
  walk(schema, object, '', true, (_holder, _key, path) => paths.add(() => path))
  return paths.texts.sort()
}

function walk(schema: JsonSchema | undefined, value: unknown, path: string, isResource: boolean, found: Found): void {
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      const items = schema?.items
      walk(items, item, `${path}[${i}]`, !!items?.['x-kubernetes-embedded-resource'], found)
    })
    return
  }
  if (!isObject(value)) return
  // Below a preserving node everything stays that no schema of its own says otherwise about.
  const keeps = schema === undefined || !!schema['x-kubernetes-preserve-unknown-fields']
  for (const key of Object.keys(value)) {
    const at = childPath(path, key)
    if (isResource && resourceFields.includes(key)) {
      if (key === 'metadata') walkMetadata(value[key], at, found)
      continue
    }
    const known = ownValue(schema?.properties, key) ?? schema?.additionalProperties
    if (typeof known === 'object') {
      walk(known, value[key], at, !!known['x-kubernetes-embedded-resource'], found)
    } else if (!keeps && known !== true) found(value, key, at)
  }
}

function walkMetadata(metadata: unknown, path: string, found: Found): void {
  if (!isObject(metadata)) return
  for (const key of Object.keys(metadata)) {
    if (!metadataFields.has(key)) found(metadata, key, childPath(path, key))
  }
}
