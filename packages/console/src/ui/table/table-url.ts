import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import type { Column, Filter, Sort } from './rows'

/**
 * The order of a table, kept in the URL as `sort=name` or `sort=-name`. A column that does not exist or cannot be
 * sorted is ignored, as if nothing had been written there.
 */
export function useSortInUrl<T>(columns: Column<T>[]): [Sort | undefined, (sort: Sort) => void] {
  const parser = useMemo(() => {
    const sortable = columns.filter((column) => column.sortBy).map((column) => column.id)
    const choices = sortable.flatMap((id) => [id, `-${id}`])
    return { fallback: sortable[0], parse: parseAsStringLiteral(choices) }
  }, [columns])
  const [sort, setSort] = useQueryState('sort', parser.parse)
  return [sort ?? parser.fallback, (next) => void setSort(next === parser.fallback ? null : next)]
}

/** The filters of a table, kept in the URL by their ids; `setWanted({})` clears them all. */
export function useFiltersInUrl<T>(
  filters: Filter<T>[],
): [Record<string, string>, (wanted: Record<string, string>) => void] {
  const parsers = useMemo(
    () => Object.fromEntries(filters.map(({ id }) => [id, parseAsString.withDefault('')])),
    [filters],
  )
  const [wanted, setWanted] = useQueryStates(parsers)
  return [wanted, (next) => void setWanted(Object.keys(next).length === 0 ? null : next)]
}
