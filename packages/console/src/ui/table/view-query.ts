import type { RowsQuery } from '../../api/views/use-view'
import { type Filter, type FilterValues, isChoice, isHiding, type Sort } from './rows'

/**
 * The query of a table's filters and order. Filters and columns are named as the fields of the view kind; the one text
 * filter searches the text of the kind. Switches that hide rows need a field of their own, which no table has yet.
 */
export function viewQueryOf<T>(
  view: Pick<RowsQuery, 'kind' | 'namespaces' | 'where'>,
  { filters, filterValues, sort }: { filters: readonly Filter<T>[]; filterValues: FilterValues; sort: Sort },
): RowsQuery {
  const choices = filters.filter(isChoice)
  const where = choices.flatMap(({ id }) => {
    const value = filterValues[id]
    return Array.isArray(value) && value.length > 0 ? [[id, value as readonly string[]] as const] : []
  })
  const search = filters.find((filter) => !isChoice(filter) && !isHiding(filter))
  const text = search && filterValues[search.id]
  return {
    ...view,
    sort,
    facets: choices.map(({ id }) => id),
    ...((view.where ?? where.length > 0) && { where: { ...Object.fromEntries(where), ...view.where } }),
    ...(typeof text === 'string' && text.trim() !== '' && { text }),
  }
}
