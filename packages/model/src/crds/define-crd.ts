import type { KubeObject } from '@slipway/kube/object'

/** Part of an OpenAPI v3 schema as a CustomResourceDefinition takes it ("structural schema"). */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  required?: string[]
  items?: Schema
  enum?: string[]
  default?: unknown
  format?: string
  pattern?: string
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  nullable?: boolean
  'x-kubernetes-int-or-string'?: true
  'x-kubernetes-preserve-unknown-fields'?: true
  'x-kubernetes-validations'?: { rule: string; message: string }[]
}

export interface PrinterColumn {
  name: string
  type: 'string' | 'integer' | 'date' | 'boolean'
  jsonPath: string
}

interface CrdVersion {
  name: string
  spec: Schema
  /** Absent for a kind whose objects have no status. */
  status?: Schema
  /** Fields besides spec and status. */
  properties?: Record<string, Schema>
  columns?: PrinterColumn[]
}

export interface CrdDefinition {
  group: string
  kind: string
  plural: string
  shortNames?: string[]
  categories?: string[]
  /** Required fields. */
  required?: ('spec' | 'metadata')[]
  /** Rules about the whole object, of which metadata is only known by its name. */
  rules?: { rule: string; message: string }[]
  /** The first version is the storage version; all versions are served. */
  versions: [CrdVersion, ...CrdVersion[]]
}

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string
    scope: 'Namespaced'
    names: Record<'kind' | 'listKind' | 'plural' | 'singular', string> &
      Partial<Record<'shortNames' | 'categories', string[]>>
    versions: {
      name: string
      served: boolean
      storage: boolean
      schema: { openAPIV3Schema: Schema }
      subresources: { status: Record<string, never> }
      additionalPrinterColumns?: PrinterColumn[]
    }[]
  }
}

/** A namespaced kind with a status subresource. */
export function defineCrd({ group, kind, plural, shortNames, categories, required, rules, versions }: CrdDefinition) {
  const singular = kind.toLowerCase()
  const definition: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames, categories },
      versions: versions.map(({ name, spec, status, properties, columns }, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required,
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec,
              ...(status && { status }),
              ...properties,
            },
            ...(rules && { 'x-kubernetes-validations': rules }),
          },
        },
        subresources: { status: {} },
        additionalPrinterColumns: columns,
      })),
    },
  }
  // Absent fields are omitted rather than undefined, so that the object equals the one a server returns.
  return JSON.parse(JSON.stringify(definition)) as CustomResourceDefinition
}

export const string: Schema = { type: 'string' }
export const integer: Schema = { type: 'integer' }
export const boolean: Schema = { type: 'boolean' }
export const time: Schema = { type: 'string', format: 'date-time' }

/** Name of another object. */
export const reference: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }
/** Another object as `namespace/name`. */
export const qualifiedReference: Schema = {
  type: 'string',
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
}

/** Has the listed fields. Others are removed, or rejected by a strict write. */
export const object = (properties: Record<string, Schema>, required?: string[]): Schema => ({
  type: 'object',
  properties,
  required,
})
/** Validates the listed fields and preserves all others. */
export const open = (properties: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  properties,
  'x-kubernetes-preserve-unknown-fields': true,
})
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
/** A number or a text such as `500m`. */
export const quantity: Schema = { 'x-kubernetes-int-or-string': true }
export const strings = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, string]))
export const booleans = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, boolean]))
export const integers = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, integer]))
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const oneOf = (...choices: string[]): Schema => ({ type: 'string', enum: choices })
/** Any JSON value. */
export const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

const condition = { type: string, status: oneOf('True', 'False', 'Unknown'), reason: string, message: string }
/** Conditions as in Kubernetes' own kinds. */
export const conditions = listOf(
  object({ ...condition, lastTransitionTime: time, observedGeneration: integer }, [
    ...['type', 'status', 'reason', 'message', 'lastTransitionTime'],
  ]),
)
/** Conditions of Tekton's kinds, which require only type and status. */
export const tektonConditions = listOf(
  object({ ...condition, lastTransitionTime: time, severity: string }, ['type', 'status']),
)

/** Parameters whose values are texts. */
export const textParams = listOf(object(strings('name', 'value'), ['name', 'value']))
/** Parameters whose values are texts, lists or objects. */
export const params = listOf(object({ name: string, value: anything }, ['name', 'value']))

/** How to resolve a remote pipeline or task, for example from a git repository or a bundle. */
export const resolver = object({ resolver: string, params: textParams }, ['resolver', 'params'])

export const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }
export const lastConditionColumns: PrinterColumn[] = [
  { name: 'Status', type: 'string', jsonPath: '.status.conditions[-1].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[-1].reason' },
]
export const runColumns: PrinterColumn[] = [
  { name: 'Succeeded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Succeeded")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Succeeded")].reason' },
  { name: 'StartTime', type: 'date', jsonPath: '.status.startTime' },
  { name: 'CompletionTime', type: 'date', jsonPath: '.status.completionTime' },
]
