import { type KubeList, type KubeObject, nameOf, uidOf } from '@slipway/kube/object'
import { type QueryKey, useQueries, useQuery } from '@tanstack/react-query'
import { isShallowEqual } from '../lib/shallow-equal'
import { useFold } from '../lib/use-fold'
import { isBeingDeleted } from './archive/origin'
import type { getQuery, listQuery } from './queries'

/**
 * What a table, a badge and an alert need to know of rows, wherever these come from: `useList`, `useHistory` (a list
 * with what an archive keeps), `useJoined`, `useDerived` and `useFixed` return one. The page of a single object takes one
 * too (`useObject`), with that object as its row.
 */
export interface Source<T> {
  /** `undefined` before any are known. */
  rows: readonly T[] | undefined
  kind: RowKind<T>
  /** Why the last read failed; rows are then those of the read before. */
  error: Error | null
  /** Parts that could not be read: the rows are not all there are. */
  missing: readonly MissingPart[]
  /** The queries whose freshness counts for the rows. */
  freshness: readonly FreshnessPart[]
  /** Which archive the past comes from, where one was asked. */
  archive?: string | undefined
  isFetching: boolean
  /** Reads every part again. */
  retry: () => void
  /** There are more rows than have been loaded, or there may be. */
  more?: MoreRows | undefined
}

export interface MissingPart {
  /** In a sentence, such as `the archive` or `namespace team-a`. */
  name: string
  error: Error
}

export interface FreshnessPart {
  name: string
  queryKey: QueryKey
}

export interface MoreRows {
  isLoading: boolean
  load: () => void
  /** Loads only when asked to, such as from an archive that has just failed: it would be asked without end. */
  isOnDemand?: boolean
}

/** What a table has to know of whatever its rows are. */
export interface RowKind<T> {
  /** The same for a row and for what replaces it, and for no other. */
  idOf: (row: T) => string
  /** In the words `Actions for {name}`. */
  nameOf: (row: T) => string
  isBeingDeleted: (row: T) => boolean
  /** The object that a row is, for rows that are one. */
  objectOf?: (row: T) => KubeObject
}

export const objectRows: RowKind<KubeObject> = { idOf: uidOf, nameOf, isBeingDeleted, objectOf: (row) => row }

type ListQuery<T extends KubeObject> = ReturnType<typeof listQuery<T>>

interface ListResult<T extends KubeObject> {
  data: Pick<KubeList<T>, 'items'> | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

const listSource = <T extends KubeObject>(
  name: string,
  { queryKey }: { queryKey: QueryKey },
  { data, error, isFetching, refetch }: ListResult<T>,
): Source<T> => ({
  rows: data?.items,
  kind: objectRows,
  error,
  missing: [],
  freshness: [{ name, queryKey }],
  isFetching,
  retry: () => void refetch(),
})

/** @param name of what is listed, for a source that is joined with others: in a sentence, such as `releases` */
export const useList = <T extends KubeObject>(query: ListQuery<T>, name = 'the list'): Source<T> =>
  listSource(name, query, useQuery(query))

/** The same of several lists, such as one for each namespace. */
export const useLists = <T extends KubeObject>(lists: readonly { name: string; query: ListQuery<T> }[]): Source<T>[] =>
  useQueries({ queries: lists.map(({ query }) => query) }).flatMap((result, at) => {
    const list = lists[at]
    return list ? listSource<T>(list.name, list.query, result) : []
  })

/** One object. */
export function useObject<T extends KubeObject>(query: ReturnType<typeof getQuery<T>>): Source<T> {
  const { data, ...result } = useQuery(query)
  return listSource('the object', query, { ...result, data: data && { items: [data] } })
}

const nothingToRetry = () => undefined

/** Rows that are there, or will be: `undefined` stands for those that are not known yet. */
export const useFixed = <T>(rows: readonly T[] | undefined, kind: RowKind<T>): Source<T> => ({
  rows,
  kind,
  error: null,
  missing: [],
  freshness: [],
  isFetching: false,
  retry: nothingToRetry,
})

/** Rows made of those of another source. @param derive pure and incremental (`useFold`) */
export function useDerived<T, R, D extends { rows: readonly R[] }>(
  source: Source<T>,
  derive: (rows: readonly T[], before?: D) => D,
  kind: RowKind<R>,
): Source<R> {
  const { rows } = useFold(derive, source.rows ?? none, derive)
  return { ...source, rows: source.rows && rows, kind }
}

const none: never[] = []

/** What counts of a source that is joined with others. */
type Part = Omit<Source<unknown>, 'kind'>

type RowsOf<P extends readonly Part[]> = { [I in keyof P]: P[I]['rows'] }

/**
 * Rows made of those of several sources. They are shown as soon as `join` returns some; a source that could not be read
 * is named as missing. A row that is equal to the one before, field by field, is the same object.
 * @param join `undefined` stands for the rows of a source that are not known, and for rows that cannot be made yet
 */
export function useJoined<const P extends readonly Part[], R extends object>(
  sources: P,
  join: (rows: RowsOf<P>) => readonly R[] | undefined,
  kind: RowKind<R>,
): Source<R> {
  // A tuple of the same length, whose members are mapped one by one.
  const joined = join(sources.map(({ rows }) => rows) as unknown as RowsOf<P>)
  const { rows } = useFold(reuseEqualRows<R>, { rows: joined ?? none, kind })
  const isAnyPending = sources.some(({ rows, error }) => !rows && !error)
  const failed = sources.flatMap(({ rows, error, freshness }): MissingPart[] =>
    rows || !error ? [] : [{ name: freshness.map(({ name }) => name).join(', '), error }],
  )
  const loading = sources.flatMap(({ more }) => more ?? [])
  return {
    rows: joined && rows,
    kind,
    error: (joined ? sources.find(({ rows, error }) => rows && error)?.error : failed[0]?.error) ?? null,
    missing: joined ? [...failed, ...sources.flatMap(({ missing }) => missing)] : [],
    freshness: sources.flatMap(({ freshness }) => freshness),
    archive: sources.find(({ archive }) => archive)?.archive,
    isFetching: sources.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { retry } of sources) retry()
    },
    more:
      loading.length > 0 || (joined && isAnyPending)
        ? {
            isLoading: isAnyPending || loading.some(({ isLoading }) => isLoading),
            isOnDemand: loading.some(({ isOnDemand }) => isOnDemand),
            load: () => {
              for (const { load } of loading) load()
            },
          }
        : undefined,
  }
}

interface Rows<R> {
  rows: readonly R[]
  kind: RowKind<R>
}

function reuseEqualRows<R extends object>(next: Rows<R>, before?: Rows<R>): Rows<R> {
  if (!before || next.rows === before.rows) return before?.rows === next.rows ? before : next
  const known = new Map(before.rows.map((row) => [next.kind.idOf(row), row]))
  const rows = next.rows.map((row) => {
    const same = known.get(next.kind.idOf(row))
    return same && isShallowEqual(same, row) ? same : row
  })
  return isShallowEqual(rows, before.rows) ? before : { rows, kind: next.kind }
}
