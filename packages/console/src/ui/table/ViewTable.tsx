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

type ViewTableProps<T extends KubeObject, R extends object, A, O extends KubeObject> = Omit<
  ListTableProps<R, A>,
  'source' | 'sourceSort'
> & {
  /** What is listed. */
  view: ListedView
  /** Reads the rows of the query, for a page that needs more than those of the view. */
  useRows?: (query: RowsQuery, name: string) => Source<T>
  /** What an archive has of the same, and which order of the table is newest first, as that of an archive is. */
  archive?: (ArchiveBehind<T, O> & { sort: Sort }) | undefined
}

type JoinedViewTableProps<T extends KubeObject, R extends object, A, O extends KubeObject = T> = ViewTableProps<
  T,
  R,
  A,
  O
> & {
  /** Adds to the loaded rows what their cells show of other objects, which the view neither sorts nor filters by. */
  useJoin: (source: Source<T>, at: A) => Source<R>
  at: A
}

/** A list whose rows are filtered, sorted and counted where all of them are known, and of which only some are loaded. */
export const ViewTable = <T extends KubeObject, A = void, O extends KubeObject = T>(
  props: ViewTableProps<T, T, A, O> & WithCellParams<A>,
) => (
  // Only a table whose cells need nothing has no `at`.
  <JoinedViewTable<T, T, A, O> {...props} useJoin={unjoined} at={props.at as A} />
)

const unjoined = <T,>(source: Source<T>): Source<T> => source

/** The same with cells that also show other objects. */
export const JoinedViewTable = <T extends KubeObject, R extends object, A, O extends KubeObject = T>(
  props: JoinedViewTableProps<T, R, A, O>,
) => (
  <NuqsAdapter>
    {/* Another list must not begin with the rows of the last one. */}
    <QueriedTable key={hashKey([props.view.where])} {...props} />
  </NuqsAdapter>
)

function QueriedTable<T extends KubeObject, R extends object, A, O extends KubeObject>({
  view,
  archive,
  ...props
}: JoinedViewTableProps<T, R, A, O>) {
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

type ReadTableProps<T extends KubeObject, R extends object, A> = Omit<
  JoinedViewTableProps<T, R, A>,
  'view' | 'archive'
> & {
  query: RowsQuery
  /** What is listed, as used in a sentence. */
  name: string
}

// Only these render when rows change.

function LiveTable<T extends KubeObject, R extends object, A>({
  query,
  name,
  useRows = useView,
  useJoin,
  ...props
}: ReadTableProps<T, R, A>) {
  const source = useJoin(useRows(query, name), props.at)
  return (
    <LastKnownScope freshness={source.freshness}>
      <SourceTable {...props} source={source} />
    </LastKnownScope>
  )
}

function TableWithArchive<T extends KubeObject, R extends object, A, O extends KubeObject>({
  view,
  query,
  name,
  archive,
  useJoin,
  ...props
}: ReadTableProps<T, R, A> &
  Pick<JoinedViewTableProps<T, R, A>, 'view'> & { archive: NonNullable<JoinedViewTableProps<T, R, A, O>['archive']> }) {
  const source = useJoin(useViewWithArchive({ view, query, name, archive }), props.at)
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
