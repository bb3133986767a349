import type { RowsQuery } from '../../api/views/use-view'
import { type ChoiceFilter, type Filter, type FilterValues, isChoice, isHiding, type Sort, switchedOn } from './rows'

/** The field of a view kind that a filter is about. */
export const fieldOf = <T>({ id, field = id }: ChoiceFilter<T>): string => field

/**
 * The query of a table's filters and order. Columns are named as the fields of the view kind, and so are filters, unless
 * they name their field; the one text filter searches the text of the kind.
 */
export function viewQueryOf<T>(
  view: Pick<RowsQuery, 'kind' | 'namespaces' | 'where'>,
  { filters, filterValues, sort }: { filters: readonly Filter<T>[]; filterValues: FilterValues; sort: Sort },
): RowsQuery {
  const choices = filters.filter(isChoice)
  const chosen = choices.flatMap((filter) => {
    const value = filterValues[filter.id]
    return Array.isArray(value) && value.length > 0 ? [[fieldOf(filter), value as readonly string[]] as const] : []
  })
  const switched = filters
    .filter(isHiding)
    .flatMap(({ id, query }) => (query && filterValues[id] === switchedOn ? query : []))
  const where = Object.fromEntries([
    ...switched.flatMap((each) => Object.entries(each.where ?? {})),
    ...chosen,
    ...Object.entries(view.where ?? {}),
  ])
  const latestOf = switched.find((each) => each.latestOf)?.latestOf
  const search = filters.find((filter) => !isChoice(filter) && !isHiding(filter))
  const text = search && filterValues[search.id]
  return {
    ...view,
    sort,
    facets: choices.map(fieldOf),
    ...(Object.keys(where).length > 0 && { where }),
    ...(latestOf && { latestOf }),
    ...(typeof text === 'string' && text.trim() !== '' && { text }),
  }
}
