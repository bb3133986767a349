import type { Condition, KubeObject } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { JsonSchema } from './json-schema'

export interface PrinterColumn {
  name: string
  type: string
  jsonPath: string
  format?: string
  description?: string
  priority?: number
}

export interface CrdNames {
  plural: string
  singular?: string
  kind: string
  listKind?: string
  shortNames?: string[]
  categories?: string[]
}

export interface CrdVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: JsonSchema }
  subresources?: { status?: object; scale?: object }
  additionalPrinterColumns?: PrinterColumn[]
  selectableFields?: { jsonPath: string }[]
}

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string
    names: CrdNames
    scope: 'Namespaced' | 'Cluster'
    versions: CrdVersion[]
    preserveUnknownFields?: boolean
    conversion?: { strategy?: string; webhook?: unknown }
  }
  status?: { conditions?: Condition[]; acceptedNames?: CrdNames; storedVersions?: string[] }
}

/** What is wrong with a definition; its schemas are compiled to find out. */
export declare function validateCrd(crd: CustomResourceDefinition, old?: CustomResourceDefinition): StatusCause[]
