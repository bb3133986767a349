import type { KubeList, KubeObject, ListMeta } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import type { AnyObject } from '../resource'
import type { PrinterColumn } from '../apiextensions/crd'
import { builtinColumns } from './builtin-columns'
import { customColumns, plainColumns, type Column } from './column'
import { isPod, podConditions } from './pod-columns'
import type { IncludeObject } from './representation'

export interface TableOptions {
  type: ResourceType
  /** additionalPrinterColumns of the CRD version; `undefined` for built-in kinds. */
  columns?: readonly PrinterColumn[]
  isCustom?: boolean
  includeObject?: IncludeObject
  /** Omits the column definitions: after the first event of a watch. */
  noHeaders?: boolean
  /** Milliseconds since 1970, from which ages are computed. */
  now: number
}

const apiVersion = 'meta.k8s.io/v1'

/** A Table of a list or of a single object, such as that of a watch event. */
export function tableOf(result: KubeObject | KubeList, options: TableOptions): object {
  const columns = columnsOf(options)
  return {
    kind: 'Table',
    apiVersion,
    metadata: listMetaOf(result),
    columnDefinitions: options.noHeaders ? null : columns.map(definitionOf),
    rows: objectsOf(result).map((object) => {
      // Cells check the types of everything except the metadata.
      const row = object as AnyObject
      const conditions = isPod(options.type) ? podConditions(row) : undefined
      return {
        cells: columns.map(({ cell }) => cell(row, options.now)),
        ...(conditions && { conditions }),
        object: options.includeObject === 'None' ? null : rowObject(object, options),
      }
    }),
  }
}

const definitionOf = ({ name, type, format = '', description = '', priority = 0 }: Column) => ({
  name,
  type,
  format,
  description,
  priority,
})

/** PartialObjectMetadata of one object, PartialObjectMetadataList of a list. */
export function metadataOf(result: KubeObject | KubeList): object {
  if (!isList(result)) return partial(result)
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata: result.metadata, items: result.items.map(partial) }
}

const partial = ({ metadata }: KubeObject) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata })

export const isList = (result: KubeObject | KubeList): result is KubeList =>
  'items' in result && Array.isArray(result.items)
const objectsOf = (result: KubeObject | KubeList): KubeObject[] => (isList(result) ? result.items : [result])
const listMetaOf = (result: KubeObject | KubeList): ListMeta =>
  isList(result) ? result.metadata : { resourceVersion: result.metadata.resourceVersion }

const rowObject = (object: KubeObject, { includeObject, type }: TableOptions): object =>
  includeObject === 'Object' ? { apiVersion: apiVersionOf(type), kind: type.kind, ...object } : partial(object)

function columnsOf({ type, columns, isCustom }: TableOptions): readonly Column[] {
  if (columns || isCustom) return customColumns(columns)
  return builtinColumns(type) ?? plainColumns
}
