import {
  createParser,
  parseAsString,
  parseAsStringLiteral,
  type SingleParserBuilder,
  useQueryState,
  useQueryStates,
} from 'nuqs'
import { useMemo } from 'react'
import { type ChoiceFilter, type Column, type Filter, isChoice, type Sort, type FilterValues } from './rows'

/**
 * The order of a table, kept in the URL as `sort=name` or `sort=-name`. A column that does not exist or cannot be
 * sorted is ignored, as if nothing had been written there.
 * @param first the order without a word in the URL; by the first column that can be sorted, if not given
 */
export function useSortInUrl<T>(columns: readonly Column<T>[], first?: Sort): [Sort | undefined, (sort: Sort) => void] {
  const parser = useMemo(() => {
    const sortable = columns.filter((column) => column.sortBy).map((column) => column.id)
    const choices = sortable.flatMap((id) => [id, `-${id}`])
    return { fallback: first ?? sortable[0], parse: parseAsStringLiteral(choices) }
  }, [columns, first])
  const [sort, setSort] = useQueryState('sort', parser.parse)
  return [sort ?? parser.fallback, (next) => void setSort(next === parser.fallback ? null : next)]
}

/** The filters of a table, kept in the URL by their ids; `setWanted({})` clears them all. */
export function useFiltersInUrl<T>(
  filters: readonly Filter<T>[],
): [FilterValues, (filterValues: FilterValues) => void] {
  const parsers = useMemo(
    () =>
      Object.fromEntries(
        filters.map((filter): [string, SingleParserBuilder<string> | SingleParserBuilder<readonly string[]>] => [
          filter.id,
          isChoice(filter) ? parseChosen(filter) : parseText,
        ]),
      ),
    [filters],
  )
  const [filterValues, setWanted] = useQueryStates(parsers)
  return [
    useMemo(
      () => Object.fromEntries(Object.entries(filterValues).map(([id, value]) => [id, value ?? undefined])),
      [filterValues],
    ),
    (next) => {
      const changes = Object.entries(next).map(([id, value]) => [id, value && value.length > 0 ? value : null])
      void setWanted(changes.length === 0 ? null : Object.fromEntries(changes))
    },
  ]
}

/** Longer than anything a person looks for; the rest of a hostile link is dropped. */
const longestText = 256
const mostChosen = 50

const parseText = createParser({
  parse: (text) => text.slice(0, longestText),
  serialize: (text: string) => parseAsString.serialize(text),
})

/** `status=Failed,Running`; a comma within a value follows a backslash. */
const parseChosen = <T>({ values }: ChoiceFilter<T>) =>
  createParser<readonly string[]>({
    parse(text) {
      const chosen = (text.match(/(?:\\.|[^\\,])+/gs) ?? [])
        .map((value) => value.replace(/\\(.)/gs, '$1'))
        .filter((value) => value.length <= longestText && (!values || values.includes(value)))
      const known = [...new Set(chosen)].slice(0, mostChosen)
      return known.length > 0 ? known : null
    },
    serialize: (chosen) => chosen.map((value) => value.replace(/[\\,]/g, '\\$&')).join(','),
    eq: (a, b) => a.join('\0') === b.join('\0'),
  })
