import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { PrinterColumn } from '../schema/crd'

export type Representation = 'Object' | 'Table' | 'PartialObjectMetadata'

/** What an Accept header asks for; `undefined` when nothing it names can be had (406). */
export declare function representationOf(accept: string | null): Representation | undefined

export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  type: ResourceType
  /** additionalPrinterColumns of the CRD version; `undefined` for built-in kinds. */
  columns?: readonly PrinterColumn[]
  includeObject?: IncludeObject
  /** Milliseconds since 1970: ages are counted from here. */
  now: number
}

/** A Table of a list or of one object; in a watch, of the one object of each event. */
export declare function tableOf(answer: KubeObject | KubeList, options: TableOptions): object
/** PartialObjectMetadata of one object, PartialObjectMetadataList of a list. */
export declare function metadataOf(answer: KubeObject | KubeList): object
