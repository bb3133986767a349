import type { KubeObject } from '@slipway/kube/object'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useEffect, useState } from 'react'
import { type RowsQuery, useView } from '../../api/views/use-view'
import { LastKnownScope } from '../status/last-known'
import { noPreferences } from './columns'
import { type ListTableProps, SourceTable, useSort } from './ListTable'
import type { WithCellParams } from './TableFrame'
import { useFiltersInUrl } from './table-url'
import { viewQueryOf } from './view-query'

type ViewTableProps<T extends object, A> = Omit<ListTableProps<T, A>, 'source' | 'sourceSort'> & {
  /** What is listed. */
  view: Pick<RowsQuery, 'kind' | 'namespaces'>
}

/** A list whose rows are filtered, sorted and counted where all of them are known, and of which only some are loaded. */
export const ViewTable = <T extends KubeObject, A = void>(props: ViewTableProps<T, A> & WithCellParams<A>) => (
  <NuqsAdapter>
    {/* Only a table whose cells need nothing has no `at`. */}
    <QueriedTable {...props} at={props.at as A} />
  </NuqsAdapter>
)

function QueriedTable<T extends KubeObject, A>({ view, ...props }: ViewTableProps<T, A> & { at: A }) {
  const { columns, filters = none, urlKey, preferences = noPreferences, firstSort, label } = props
  const [filterValues] = useFiltersInUrl(filters, urlKey)
  const [sort] = useSort(columns, { urlKey, preferences, firstSort })
  const { text, ...query } = viewQueryOf(view, { filters, filterValues, sort })
  // What is loaded narrows at once; the engine is asked when typing pauses.
  const typed = usePaused(text)
  const source = useView<T>({ ...query, ...(typed !== undefined && { text: typed }) }, label.toLowerCase())
  return (
    <LastKnownScope freshness={source.freshness}>
      <SourceTable {...props} source={source} />
    </LastKnownScope>
  )
}

const none: never[] = []

const pauseMs = 600

/** A text once it has not changed for a while; at once if it is cleared. */
function usePaused(text: string | undefined): string | undefined {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return text === undefined ? undefined : paused
}
