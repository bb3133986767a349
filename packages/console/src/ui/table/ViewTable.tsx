import type { KubeObject } from '@slipway/kube/object'
import { hashKey } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useEffect, useState } from 'react'
import { type ArchiveBehind, type ListedView, useViewWithArchive } from '../../api/archive/view-with-archive'
import type { Source } from '../../api/source'
import { type RowsQuery, useView } from '../../api/views/use-view'
import { LastKnownScope } from '../status/last-known'
import { noPreferences } from './columns'
import { type ListTableProps, SourceTable, useSort } from './ListTable'
import type { Sort } from './rows'
import type { WithCellParams } from './TableFrame'
import { useFiltersInUrl } from './table-url'
import { viewQueryOf } from './view-query'

type ViewTableProps<T extends KubeObject, A, O extends KubeObject> = Omit<
  ListTableProps<T, A>,
  'source' | 'sourceSort'
> & {
  view: ListedView
  /** Reads the rows of the query, for a page that needs more than those of the view. */
  useRows?: (query: RowsQuery, name: string) => Source<T>
  /** What an archive has of the same, and which order of the table is newest first, as that of an archive is. */
  archive?: (ArchiveBehind<T, O> & { sort: Sort }) | undefined
}

/** A list whose rows are filtered, sorted and counted where all of them are known, and of which only some are loaded. */
export const ViewTable = <T extends KubeObject, A = void, O extends KubeObject = T>(
  props: ViewTableProps<T, A, O> & WithCellParams<A>,
) => (
  <NuqsAdapter>
    {/* Only a table whose cells need nothing has no `at`. Another list must not begin with the rows of the last one. */}
    <QueriedTable key={hashKey([props.view.where])} {...props} at={props.at as A} />
  </NuqsAdapter>
)

interface QueriedTableProps<T extends KubeObject, A, O extends KubeObject> extends ViewTableProps<T, A, O> {
  at: A
}

function QueriedTable<T extends KubeObject, A, O extends KubeObject>({
  view,
  archive,
  ...props
}: QueriedTableProps<T, A, O>) {
  const { columns, filters = none, urlKey, preferences = noPreferences, firstSort = archive?.sort, label } = props
  const [filterValues] = useFiltersInUrl(filters, urlKey)
  const [sort] = useSort(columns, { urlKey, preferences, firstSort })
  const { text, ...rest } = viewQueryOf(view, { filters, filterValues, sort })
  // What is loaded narrows at once; the engine is asked when typing pauses.
  const typed = usePaused(text)
  const query = { ...rest, ...(typed !== undefined && { text: typed }) }
  const name = label.toLowerCase()
  return archive ? (
    <TableWithArchive {...props} view={view} query={query} name={name} archive={archive} />
  ) : (
    <LiveTable {...props} query={query} name={name} />
  )
}

type ReadTableProps<T extends KubeObject, A> = Omit<QueriedTableProps<T, A, T>, 'view' | 'archive'> & {
  query: RowsQuery
  /** What is listed, as used in a sentence. */
  name: string
}

// Only these render when rows change.

function LiveTable<T extends KubeObject, A>({ query, name, useRows = useView, ...props }: ReadTableProps<T, A>) {
  const source = useRows(query, name)
  return (
    <LastKnownScope freshness={source.freshness}>
      <SourceTable {...props} source={source} />
    </LastKnownScope>
  )
}

function TableWithArchive<T extends KubeObject, A, O extends KubeObject>({
  view,
  query,
  name,
  archive,
  ...props
}: ReadTableProps<T, A> &
  Pick<QueriedTableProps<T, A, O>, 'view'> & { archive: NonNullable<QueriedTableProps<T, A, O>['archive']> }) {
  const source = useViewWithArchive({ view, query, name, archive })
  return (
    <LastKnownScope freshness={source.freshness}>
      <SourceTable {...props} source={source} sourceSort={archive.sort} />
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
