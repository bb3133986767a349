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
  maxLength?: number
  nullable?: boolean
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
export function defineCrd({ group, kind, plural, shortNames, categories, required, versions }: CrdDefinition) {
  const singular = kind.toLowerCase()
  const definition: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames, categories },
      versions: versions.map(({ name, spec, status = open(), properties, columns }, index) => ({
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
              status,
              ...properties,
            },
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

/** Validates the listed fields and preserves all others. */
export const open = (properties: Record<string, Schema> = {}, required?: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  'x-kubernetes-preserve-unknown-fields': true,
})
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const oneOf = (...choices: string[]): Schema => ({ type: 'string', enum: choices })
/** Any JSON value. */
export const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

const conditionsWith = (...required: string[]): Schema =>
  listOf(
    open(
      {
        type: string,
        status: oneOf('True', 'False', 'Unknown'),
        reason: string,
        message: string,
        lastTransitionTime: time,
        observedGeneration: integer,
      },
      required,
    ),
  )
/** Conditions as in Kubernetes' own kinds. */
export const conditions = conditionsWith('type', 'status', 'reason', 'message', 'lastTransitionTime')
/** Conditions of Tekton's kinds, which require only type and status. */
export const tektonConditions = conditionsWith('type', 'status')

/** How to resolve a remote pipeline or task, for example from a git repository or a bundle. */
export const resolver = open(
  { resolver: string, params: listOf(open({ name: string, value: anything }, ['name', 'value'])) },
  ['resolver', 'params'],
)

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
