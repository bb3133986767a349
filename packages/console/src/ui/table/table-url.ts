import {
  createLoader,
  createParser,
  createSerializer,
  debounce,
  parseAsString,
  parseAsStringLiteral,
  type SingleParserBuilder,
  useQueryState,
  useQueryStates,
} from 'nuqs'
import {
  type ChoiceFilter,
  type Column,
  type Filter,
  isChoice,
  isHiding,
  type Sort,
  type FilterValues,
  switchedOn,
} from './rows'

/** How long typing has to pause before the URL is updated. */
const debounceMs = 600

/** `sort`, or `members-sort` for the table whose `urlKey` is `members`. */
const parameter = (urlKey: string | undefined, name: string): string => (urlKey ? `${urlKey}-${name}` : name)

/**
 * The order of a table in the URL: `sort=name` or `sort=-name`. A column that does not exist or cannot be sorted is
 * ignored.
 */
export function useSortInUrl<A>(
  columns: readonly Pick<Column<never, A>, 'id' | 'sortBy'>[],
  urlKey: string | undefined,
): [Sort | null, (sort: Sort | null) => void] {
  const [sort, setSort] = useQueryState(parameter(urlKey, 'sort'), sortParserOf(columns))
  return [sort, (next) => void setSort(next)]
}

/**
 * The chosen columns of a table in the URL: `columns=status,name,started`. Columns that do not exist are ignored.
 * @returns the ids; `null` without any
 */
export function useColumnsInUrl<A>(
  columns: readonly Pick<Column<never, A>, 'id'>[],
  urlKey: string | undefined,
): [readonly string[] | null, (ids: readonly string[] | null) => void] {
  const [ids, setIds] = useQueryState(parameter(urlKey, 'columns'), columnsParserOf(columns))
  return [ids, (next) => void setIds(next)]
}

type FilterParsers = Record<string, SingleParserBuilder<string> | SingleParserBuilder<readonly string[]>>

export interface SetFilterValues {
  /** @param isTyped whether to update the URL only when typing pauses */
  (change: FilterValues, options?: { isTyped?: boolean }): void
}

/** The filters of a table, kept in the URL by their ids; `setFilterValues({})` clears them all. */
export function useFiltersInUrl<T>(
  filters: readonly Filter<T>[],
  urlKey: string | undefined,
): [filterValues: FilterValues, setFilterValues: SetFilterValues] {
  const parsers = filterParsersOf(filters)
  const urlKeys = urlKeysOf(filters, urlKey)
  const [filterValues, setFilterValues] = useQueryStates(parsers, { urlKeys })
  return [
    filterValues,
    (change, { isTyped = false } = {}) => {
      const values = Object.entries(change).map(([id, value]) => [id, value && value.length > 0 ? value : null])
      void setFilterValues(
        values.length === 0 ? null : Object.fromEntries(values),
        isTyped ? { limitUrlUpdates: debounce(debounceMs) } : {},
      )
    },
  ]
}

/** What the URL says about a table. */
export interface TableState {
  filterValues: FilterValues
  sort: Sort
  /** `null` for those that each user has chosen, or the default ones. */
  columnIds: readonly string[] | null
}

interface TableParameters<T, A> {
  columns: readonly Column<T, A>[]
  filters: readonly Filter<T>[]
  urlKey: string | undefined
}

/** The query of a table's state, such as `?status=Failed&sort=-started`: the same for the same rows and columns. */
export function serializeTable<T, A>(
  { columns, filters, urlKey }: TableParameters<T, A>,
  { filterValues, sort, columnIds }: TableState,
): string {
  const values = filters.map(({ id }) => {
    const value = filterValues[id]
    return [id, value && value.length > 0 ? (typeof value === 'string' ? value : [...value].sort()) : null]
  })
  // The parsers of the filters are those of their values.
  const filtered = createSerializer<FilterParsers>(filterParsersOf(filters), { urlKeys: urlKeysOf(filters, urlKey) })(
    Object.fromEntries(values),
  )
  const sortKey = parameter(urlKey, 'sort')
  const sorted = createSerializer({ [sortKey]: sortParserOf(columns) })(filtered, { [sortKey]: sort })
  const columnsKey = parameter(urlKey, 'columns')
  return createSerializer({ [columnsKey]: columnsParserOf(columns) })(sorted, { [columnsKey]: columnIds })
}

/** The state in a query of `serializeTable`; a value for every filter. What the table does not have is ignored. */
export function parseTable<T, A>(
  { columns, filters, urlKey }: TableParameters<T, A>,
  query: string,
): { filterValues: FilterValues; sort: Sort | null; columnIds: readonly string[] | null } {
  const sortKey = parameter(urlKey, 'sort')
  const columnsKey = parameter(urlKey, 'columns')
  return {
    filterValues: createLoader(filterParsersOf(filters), { urlKeys: urlKeysOf(filters, urlKey) })(query),
    sort: createLoader({ [sortKey]: sortParserOf(columns) })(query)[sortKey] ?? null,
    columnIds: createLoader({ [columnsKey]: columnsParserOf(columns) })(query)[columnsKey] ?? null,
  }
}

const urlKeysOf = (filters: readonly { id: string }[], urlKey: string | undefined) =>
  Object.fromEntries(filters.map(({ id }) => [id, parameter(urlKey, id)]))

const sortParserOf = <A>(columns: readonly Pick<Column<never, A>, 'id' | 'sortBy'>[]) =>
  cached(sortParsers, columns, () => {
    const sortable = columns.filter((column) => column.sortBy).map((column) => column.id)
    return parseAsStringLiteral(sortable.flatMap((id) => [id, `-${id}`]))
  })

/** Always in the order of the table, so that the same columns are the same query. */
const columnsParserOf = <A>(columns: readonly Pick<Column<never, A>, 'id'>[]) =>
  cached(columnParsers, columns, () => {
    const parse = (ids: readonly string[]) => columns.map(({ id }) => id).filter((id) => ids.includes(id))
    return createParser<readonly string[]>({
      parse(text) {
        const ids = parse(text.split(','))
        return ids.length > 0 ? ids : null
      },
      serialize: (ids) => parse(ids).join(','),
      eq: (a, b) => a.join() === b.join(),
    })
  })

const filterParsersOf = <T>(filters: readonly Filter<T>[]): FilterParsers =>
  cached(filterParsers, filters, () =>
    Object.fromEntries(filters.map((filter) => [filter.id, parserOf(filter)] as const)),
  )

// Columns and filters are constants, and so are their parsers.
const sortParsers = new WeakMap<object, ReturnType<typeof parseAsStringLiteral<string>>>()
const columnParsers = new WeakMap<object, SingleParserBuilder<readonly string[]>>()
const filterParsers = new WeakMap<object, FilterParsers>()

function cached<V>(cache: WeakMap<object, V>, key: object, create: () => V): V {
  const value = cache.get(key) ?? create()
  cache.set(key, value)
  return value
}

/** Longer than any search that a user types; the rest of a hostile link is dropped. */
const longestText = 256
const mostChosen = 50

const parseText = createParser({
  parse: (text) => text.slice(0, longestText),
  serialize: (text: string) => parseAsString.serialize(text),
})

const parserOf = <T>(filter: Filter<T>) =>
  isChoice(filter) ? parseChosen(filter) : isHiding(filter) ? parseSwitch : parseText

/** `hide-pull-requests=true`; any other value counts as off. */
const parseSwitch = createParser<string>({
  parse: (text) => (text === switchedOn ? text : null),
  serialize: (text: string) => text,
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
