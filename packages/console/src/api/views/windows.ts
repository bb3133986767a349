import { uidOf, type KubeObject } from '@slipway/kube/object'
import { mostRows, type ViewQuery } from '@slipway/views/frame'
import type { OpenedView, ViewConnection, ViewState } from './view-connection'

/** The windows of an engine that together have the rows of a query, which may want more than one window can have. */
export const windowsOf = (query: ViewQuery): ViewQuery[] =>
  Array.from({ length: Math.ceil(query.limit / mostRows) }, (_, at) => ({
    ...query,
    offset: (query.offset ?? 0) + at * mostRows,
    limit: Math.min(mostRows, query.limit - at * mostRows),
    // All windows would count the same.
    ...(at > 0 && { facets: [] }),
  }))

/** Opens a view of any number of rows. */
export function openWindows(open: ViewConnection['open'], query: ViewQuery, onState: () => void): OpenedView {
  const [first, ...others] = windowsOf(query)
  if (!first) throw new Error('A view has to have rows.')
  const main = open(first, onState)
  let further = others.map((each) => open(each, onState))
  return {
    get state() {
      return further.map(({ state }) => state).reduce(join, main.state)
    },
    change(next) {
      const [changed = next, ...rest] = windowsOf(next)
      for (const view of further.slice(rest.length)) view.close()
      further = rest.map((each, at) => {
        const known = further[at]
        known?.change(each)
        return known ?? open(each, onState)
      })
      main.change(changed)
    },
    close() {
      for (const view of [main, ...further]) view.close()
    },
  }
}

/** The facts are those of the first window; rows that move from one to the other may be in both for a moment. */
function join(first: ViewState, next: ViewState): ViewState {
  return {
    ...first,
    view: { ...first.view, rows: uniqueRows([...first.view.rows, ...next.view.rows]) },
    lost: first.lost ?? next.lost,
    isChanging: first.isChanging || next.isChanging || next.view.isPending,
  }
}

const uniqueRows = (rows: readonly KubeObject[]): readonly KubeObject[] => [
  ...new Map(rows.map((row) => [uidOf(row), row])).values(),
]
