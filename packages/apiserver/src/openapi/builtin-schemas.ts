import type { ResourceType } from '@slipway/kube/resource-type'
import type { JsonSchema } from '../apiextensions/json-schema'
import definitions from './builtin-schemas.json' with { type: 'json' }
import { definitionName, metadataName } from './definition-names'

// builtin-schemas.json is generated from the document of Kubernetes: see scripts/control-plane/kubernetes/schemas.

/** The published schemas of built-in kinds and their parts by name; a `$ref` is the name of another. */
const published = definitions as unknown as Readonly<Record<string, JsonSchema>> // The types of literals are too narrow.

/**
 * Adds a published schema, and all that it refers to.
 * @param refTo returns a reference to a schema of this name
 * @throws Error for a name that builtin-schemas.json does not have
 */
export function addPublished(
  name: string,
  into: Record<string, JsonSchema>,
  refTo: (name: string) => JsonSchema,
): void {
  if (into[name]) return
  const referring = ({ $ref, ...rest }: JsonSchema): JsonSchema => {
    if ($ref) addPublished($ref, into, refTo)
    return { ...mapParts(rest, referring), ...($ref && refTo($ref)) }
  }
  into[name] = {}
  into[name] = referring(schemaNamed(name))
}

/** The schema of a built-in kind, without references and without metadata; `undefined` for any other kind. */
export function builtinSchema(type: Pick<ResourceType, 'group' | 'version' | 'kind'>): JsonSchema | undefined {
  const name = definitionName(type, false)
  if (!Object.hasOwn(published, name)) return undefined
  const { properties, ...schema } = mapParts(schemaNamed(name), resolved)
  const { spec, status } = properties ?? {}
  return withNulls({
    ...schema,
    properties: {
      ...properties,
      metadata: { type: 'object' },
      ...(spec && { spec: withNulls(spec) }),
      // Controllers write it, and Kubernetes does not check that it is complete.
      ...(status && { status: withNulls(withoutRequired(status)) }),
    },
  })
}

/** Members of objects, of their spec and of their status that Go encodes as null if they are not set. */
const nullable = new Set(
  'rules limits conditions eventTime firstTimestamp lastTimestamp deprecatedFirstTimestamp deprecatedLastTimestamp'.split(
    ' ',
  ),
)

const withNulls = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [
      name,
      nullable.has(name) ? { ...part, nullable: true } : part,
    ]),
  ),
})

const resolvedSchemas = new Map<string, JsonSchema>()

/** Without the allowed values: Kubernetes checks those in code, with messages of its own. */
function resolved({ $ref, enum: _, ...schema }: JsonSchema): JsonSchema {
  if (!$ref) return mapParts(schema, resolved)
  let target = resolvedSchemas.get($ref)
  if (!target) {
    target = resolved(schemaNamed($ref))
    resolvedSchemas.set($ref, target)
  }
  return { ...target, ...schema }
}

const withoutRequired = ({ required: _, ...schema }: JsonSchema): JsonSchema => mapParts(schema, withoutRequired)

function mapParts(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, map(part)])),
    }),
    ...(items && { items: map(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
  }
}

function schemaNamed(name: string): JsonSchema {
  const schema = published[name]
  if (!schema) throw new Error(`no schema ${name}`)
  return schema
}

export const metadataSchema: JsonSchema = resolved({ $ref: metadataName })
