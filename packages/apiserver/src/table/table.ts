import type { KubeList, KubeObject, ListMeta } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import type { AnyObject } from '../registry/resource'
import type { PrinterColumn } from '../schema/crd'
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
  /** Without what the columns are: after the first event of a watch. */
  noHeaders?: boolean
  /** Milliseconds since 1970: ages are counted from here. */
  now: number
}

const apiVersion = 'meta.k8s.io/v1'

/** A Table of a list or of one object; in a watch, of the one object of each event. */
export function tableOf(answer: KubeObject | KubeList, options: TableOptions): object {
  const columns = columnsOf(options)
  return {
    kind: 'Table',
    apiVersion,
    metadata: listMetaOf(answer),
    columnDefinitions: options.noHeaders ? null : columns.map(definitionOf),
    rows: objectsOf(answer).map((object) => {
      // What an object has besides its metadata is looked at with care, cell by cell.
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
export function metadataOf(answer: KubeObject | KubeList): object {
  if (!isList(answer)) return partial(answer)
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata: answer.metadata, items: answer.items.map(partial) }
}

const partial = ({ metadata }: KubeObject) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata })

export const isList = (answer: KubeObject | KubeList): answer is KubeList =>
  'items' in answer && Array.isArray(answer.items)
const objectsOf = (answer: KubeObject | KubeList): KubeObject[] => (isList(answer) ? answer.items : [answer])
const listMetaOf = (answer: KubeObject | KubeList): ListMeta =>
  isList(answer) ? answer.metadata : { resourceVersion: answer.metadata.resourceVersion }

const rowObject = (object: KubeObject, { includeObject, type }: TableOptions): object =>
  includeObject === 'Object' ? { apiVersion: apiVersionOf(type), kind: type.kind, ...object } : partial(object)

function columnsOf({ type, columns, isCustom }: TableOptions): readonly Column[] {
  if (columns || isCustom) return customColumns(columns)
  return builtinColumns(type) ?? plainColumns
}
