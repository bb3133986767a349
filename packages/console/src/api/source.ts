import { type KubeList, type KubeObject, nameOf, uidOf } from '@slipway/kube/object'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { isShallowEqual } from '../lib/shallow-equal'
import { useFold } from '../lib/use-fold'
import { isBeingDeleted } from './archive/origin'
import type { getQuery, listQuery } from './queries'

/**
 * What tables, badges and alerts need to know about rows, wherever the rows come from. Returned by `useList`,
 * `useHistory` (a list with archived objects), `useJoined`, `useDerived` and `useFixed`, and by `useObject` for the page
 * of a single object, with that object as the only row.
 */
export interface Source<T> {
  /** As used in a sentence: `releases`, `namespace team-a`. */
  name: string
  /** `undefined` until any are known. */
  rows: readonly T[] | undefined
  kind: RowKind<T>
  /** Why the last read failed; the rows are then those of an earlier read. */
  error: Error | null
  /** Why the first read failed, while it is being retried. */
  retryReason?: Error | undefined
  /** Parts that could not be read, so that the rows are incomplete. */
  missing: readonly MissingPart[]
  /** The queries whose freshness counts for the rows. */
  freshness: readonly FreshnessPart[]
  /** The archive that older rows come from, if one was queried. */
  archive?: string | undefined
  isFetching: boolean
  /** Reads every part again. */
  retry: () => void
  /** Set when there are, or may be, more rows than have been loaded. */
  more?: MoreRows | undefined
  /** Set if the rows come filtered and sorted, from where more are known than these. */
  window?: RowWindow | undefined
}

/** What is known of all rows that match the filters of a table, whether or not they have been loaded. */
export interface RowWindow {
  total: number
  /** How many rows have each value of a choice filter, by its id, among those that match the other filters. */
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Set while some lists have not arrived: there will be more rows than are counted. */
  isArriving?: boolean
  /**
   * Set if there are, or may be, archived rows besides: they come `after` all rows of the window, or are `merged` with
   * these, as far as they have been loaded. They are neither filtered nor counted here; merged rows are newest first.
   */
  archive?: 'after' | 'merged' | undefined
}

export interface MissingPart {
  /** As used in a sentence: `the archive`, `namespace team-a`. */
  name: string
  error: Error
  /** Whether it is being retried: the part may still arrive by itself. */
  isRetrying?: boolean
}

export interface FreshnessPart {
  name: string
  queryKey: QueryKey
  /** Who reads it, in words for users, if that is not this page itself. */
  readBy?: string | undefined
  /** It has an age of its own, which says nothing about that of the rows. */
  isAside?: boolean
}

export interface MoreRows {
  isLoading: boolean
  load: () => void
  /** Load only on the user's request: an archive that has just failed would otherwise be retried without end. */
  isOnDemand?: boolean
}

/** What a table needs to know about rows of any type. */
export interface RowKind<T> {
  /** Unique per row, and unchanged when a newer version replaces the row. */
  idOf: (row: T) => string
  /** As in the label `Actions for {name}`. */
  nameOf: (row: T) => string
  isBeingDeleted: (row: T) => boolean
  /** The object behind a row, if there is one. */
  objectOf?: (row: T) => KubeObject
}

export const objectRows: RowKind<KubeObject> = { idOf: uidOf, nameOf, isBeingDeleted, objectOf: (row) => row }

type ListQuery<T extends KubeObject> = ReturnType<typeof listQuery<T>>

interface ListResult<T extends KubeObject> {
  data: Pick<KubeList<T>, 'items'> | undefined
  error: Error | null
  failureReason: Error | null
  isFetching: boolean
  refetch: () => unknown
}

const listSource = <T extends KubeObject>(
  name: string,
  { queryKey }: { queryKey: QueryKey },
  { data, error, failureReason, isFetching, refetch }: ListResult<T>,
): Source<T> => ({
  name,
  rows: data?.items,
  kind: objectRows,
  error,
  retryReason: (!data && !error && failureReason) || undefined,
  missing: [],
  freshness: [{ name, queryKey }],
  isFetching,
  retry: () => void refetch(),
})

/** @param name what is listed, as used in a sentence (`releases`), for a source that is joined with others */
export const useList = <T extends KubeObject>(query: ListQuery<T>, name = 'the list'): Source<T> =>
  listSource(name, query, useQuery(query))

interface Concatenated<T> {
  lists: readonly (readonly T[] | undefined)[]
  rows: readonly T[]
}

/** A read that brings nothing new is not worth a look at all rows. */
export const concatenate = <T>(lists: Concatenated<T>['lists'], before?: Concatenated<T>): Concatenated<T> =>
  before && isShallowEqual(lists, before.lists) ? before : { lists, rows: lists.flatMap((rows) => rows ?? none) }

/** A source that the rows need, but whose age says nothing about theirs, such as a list that no watch keeps up to date. */
export const setAside = <T>(source: Source<T>): Source<T> => ({
  ...source,
  freshness: source.freshness.map((part) => ({ ...part, isAside: true })),
})

/** One object. */
export function useObject<T extends KubeObject>(query: ReturnType<typeof getQuery<T>>): Source<T> {
  const { data, ...result } = useQuery(query)
  return listSource('the object', query, { ...result, data: data && { items: [data] } })
}

const nothingToRetry = () => undefined

/** Rows that need no query of their own; `undefined` while they are not known yet. */
export const useFixed = <T>(rows: readonly T[] | undefined, kind: RowKind<T>): Source<T> => ({
  name: 'the rows',
  rows,
  kind,
  error: null,
  missing: [],
  freshness: [],
  isFetching: false,
  retry: nothingToRetry,
})

/** Rows derived from those of another source. @param derive pure and incremental (`useFold`) */
export function useDerived<T, R, D extends { rows: readonly R[] }>(
  source: Source<T>,
  derive: (rows: readonly T[], before?: D) => D,
  kind: RowKind<R>,
): Source<R> {
  const { rows } = useFold(derive, source.rows ?? none, derive)
  return { ...source, rows: source.rows && rows, kind }
}

const none: never[] = []

/** The part of a source that joining needs. */
type Part = Omit<Source<unknown>, 'kind'>

type RowsOf<P extends readonly Part[]> = { [I in keyof P]: P[I]['rows'] }

/**
 * Rows derived from those of several sources. They are shown as soon as `join` returns some; a source that could not be
 * read is listed as missing. A row whose fields are equal to those of the previous one keeps its identity.
 * @param join gets `undefined` for a source without rows yet, and returns `undefined` while it cannot build rows
 */
export function useJoined<const P extends readonly Part[], R extends object>(
  sources: P,
  join: (rows: RowsOf<P>) => readonly R[] | undefined,
  kind: RowKind<R>,
): Source<R> {
  // Mapping the members of a tuple keeps its length and their order.
  const joined = join(sources.map(({ rows }) => rows) as unknown as RowsOf<P>)
  const { rows } = useFold(reuseEqualRows<R>, { rows: joined ?? none, kind })
  const isAnyPending = sources.some(({ rows, error }) => !rows && !error)
  const missing = sources.flatMap(({ name, rows, error, retryReason, missing }) => {
    const reason = error ?? retryReason
    // What is itself joined names its own parts.
    return rows || !reason || missing.length > 0 ? missing : [{ name, error: reason, isRetrying: !error }]
  })
  // Before there are rows, an error stands for all of them: it has to wait for sources that may still respond.
  const failed =
    joined || !isAnyPending ? sources.find(({ rows, error }) => error && Boolean(rows) === Boolean(joined)) : undefined
  const loading = sources.flatMap(({ more }) => more ?? [])
  return {
    name: sources.map(({ name }) => name).join(', '),
    rows: joined && rows,
    kind,
    error: failed?.error ?? null,
    missing,
    // What could not be read is missing, not old.
    freshness: sources.flatMap(({ rows, freshness }) => (rows || !joined ? freshness : none)),
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
