import type { Dispatch, ReactNode, SetStateAction } from 'react'
import type { RowKind } from '../../api/source'

/** Some rows of a table, by `RowKind.idOf`: a row that is replaced by an update is still one of them. */
export type RowIds = ReadonlySet<string>
export type SetRowIds = Dispatch<SetStateAction<RowIds>>

export const noIds: RowIds = new Set()

/** For `SetRowIds`: adds the ids, or removes them. */
export const withIds =
  (changed: readonly string[], isAdded: boolean) =>
  (ids: RowIds): RowIds => {
    const next = new Set(ids)
    for (const id of changed) next[isAdded ? 'add' : 'delete'](id)
    return next
  }

/**
 * What a row shows below itself when it is expanded; nothing for a row that has no more to show. It is one constant at
 * the level of its module.
 */
export type RowDetails<T, A> = (row: T, at: A) => ReactNode

/** The details of a row. They are an item of their own, so that a long table can measure them. */
export class Detail<T> {
  readonly row: T

  constructor(row: T) {
    this.row = row
  }
}

export type TableItem<T> = T | Detail<T>

/** The rows, each followed by its details if it is expanded and has any. */
export function withDetails<T, A>(
  rows: readonly T[],
  { kind, expanded, details, at }: { kind: RowKind<T>; expanded: RowIds; details: RowDetails<T, A> | undefined; at: A },
): readonly TableItem<T>[] {
  if (!details || expanded.size === 0) return rows
  return rows.flatMap((row) => (expanded.has(kind.idOf(row)) && details(row, at) ? [row, new Detail(row)] : row))
}

/** Those that are selected of the rows that the filters leave, and how many they hide. */
export function selectionOf<T>(
  selected: RowIds,
  { all, matching, kind }: { all: readonly T[]; matching: readonly T[]; kind: RowKind<T> },
): { rows: readonly T[]; hiddenCount: number } {
  if (selected.size === 0) return { rows: [], hiddenCount: 0 }
  const isSelected = (row: T) => selected.has(kind.idOf(row))
  const rows = matching.filter(isSelected)
  return { rows, hiddenCount: all === matching ? 0 : all.filter(isSelected).length - rows.length }
}
