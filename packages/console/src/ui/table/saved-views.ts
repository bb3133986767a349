import { type Stored, stored } from '../../lib/stored'

/** Filters, an order and perhaps columns of a table, under a name that the user has given. */
export interface SavedView {
  name: string
  /** As `serializeTable` returns it. */
  query: string
}

export const longestName = 60
export const mostViews = 50

/** The views of a kind of table, and which of them was chosen last. */
export interface SavedViews {
  views: Stored<readonly SavedView[]>
  /** The name of a view, for as long as the tab is open. */
  chosen: Stored<string | undefined>
}

const known = new Map<string, SavedViews>()

/**
 * The views under a key, always the same object. They are those of all namespaces: most say what failed or what is slow,
 * and are wanted everywhere.
 */
export function savedViews(key: string): SavedViews {
  const views = known.get(key) ?? {
    views: stored(`slipway-views-${key}`, parseViews),
    chosen: stored(`slipway-view-${key}`, (value) => (typeof value === 'string' ? value : undefined), {
      storage: 'session',
    }),
  }
  known.set(key, views)
  return views
}

/** For `stored`: views that are not valid, and further ones of the same name, are left out. */
function parseViews(value: unknown): readonly SavedView[] {
  if (!Array.isArray(value)) return []
  const views = new Map<string, SavedView>()
  for (const view of value.filter(isView)) if (!views.has(view.name)) views.set(view.name, view)
  return sorted([...views.values()]).slice(0, mostViews)
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { name, query }: Partial<Record<keyof SavedView, unknown>> = value
  return (
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= longestName &&
    typeof query === 'string' &&
    query.startsWith('?')
  )
}

const sorted = (views: SavedView[]): SavedView[] => views.sort((a, b) => a.name.localeCompare(b.name, 'en'))

/** Adds a view, or replaces the one of the same name. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  sorted([...withoutView(views, view.name), view])

export const withoutView = (views: readonly SavedView[], name: string): SavedView[] =>
  views.filter((view) => view.name !== name)

/** What a table shows now. */
export interface ShownQuery {
  query: string
  /** Without columns that the user has chosen elsewhere, which a view that says none shows too. */
  queryInUrl: string
  chosen: string | undefined
  isFiltered: boolean
}

/** The view that the table shows now, or that it has shown before its filters, its order or its columns were changed. */
export function currentView(
  views: readonly SavedView[],
  { query, queryInUrl, chosen, isFiltered }: ShownQuery,
): { view: SavedView | undefined; isEdited: boolean } {
  const last = views.find(({ name }) => name === chosen)
  const shown = [last, ...views].find((view) => view?.query === query || view?.query === queryInUrl)
  if (shown) return { view: shown, isEdited: false }
  // Without any filter, the user has left the view.
  return { view: isFiltered ? last : undefined, isEdited: isFiltered && last !== undefined }
}
