import { nameOf, isRecord } from '@slipway/kube/object'
import type { AnyObject } from '../resource'
import type { PrinterColumn } from '../apiextensions/crd'
import { ageOf } from './age'
import { parseJsonPath } from './json-path'

export interface Column {
  name: string
  type: string
  format?: string
  description?: string
  /** Above 0: shown in wide output only. */
  priority?: number
  cell(object: AnyObject, nowMs: number): unknown
}

export const column = (name: string, cell: Column['cell'], more: Partial<Column> = {}): Column => ({
  name,
  type: 'string',
  ...more,
  cell,
})
export const wide = { priority: 1 }

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Unique within a namespace, or in the cluster for kinds without one.',
  cell: nameOf,
}
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  cell: ({ metadata }, nowMs) => ageOf(metadata.creationTimestamp, nowMs),
}
export const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
  // An object without a creation time, as in a bookmark, gets Go's zero time.
  cell: ({ metadata }) => metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
}
/** Columns of kinds that define none. */
export const plainColumns: readonly Column[] = [nameColumn, createdAtColumn]

const defaultColumns: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: ageColumn.description },
]

/** Columns of a custom kind: its name, then the declared ones, or else its age. */
export const customColumns = (columns: readonly PrinterColumn[] | undefined): readonly Column[] => [
  nameColumn,
  ...(columns?.length ? columns : defaultColumns).map(customColumn),
]

function customColumn({ jsonPath, ...column }: PrinterColumn): Column {
  const path = parseJsonPath(jsonPath)
  return {
    ...column,
    description: column.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    cell(object, nowMs) {
      const found = path?.(object) ?? []
      return found.length === 0 || found[0] === null ? null : cellOf(column.type, found, nowMs)
    },
  }
}

function cellOf(type: string, found: readonly unknown[], nowMs: number): unknown {
  const [value] = found
  switch (type) {
    case 'string':
      return found.map(printed).join(' ')
    case 'date':
      if (typeof value !== 'string') return null
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, nowMs)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    default:
      return typeof value === type ? value : null
  }
}

const printed = (value: unknown): string =>
  isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
