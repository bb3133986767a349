import type { CrdVersion, CustomResourceDefinition } from './crd'
import type { JsonSchema } from './json-schema'

/** A definition of widgets.example.org with this schema for `spec`. */
export function aCrd(spec: JsonSchema, version: Partial<CrdVersion> = {}): CustomResourceDefinition {
  return {
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          ...version,
        },
      ],
    },
  }
}
