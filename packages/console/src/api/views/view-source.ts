import type { KubeObject } from '@slipway/kube/object'
import { ApiError } from '@slipway/kube/status'
import type { ClientView } from '@slipway/views/client'
import type { QueryKey } from '@tanstack/react-query'
import type { ListWatchState } from '@slipway/kube/list-watch-machine'
import { toServerTime } from '../../lib/server-clock'
import { type MissingPart, type MoreRows, objectRows, type Source } from '../source'
import type { ViewHost, ViewState } from './view-connection'

interface SourceOfView {
  /** What is listed, as used in a sentence: `pipeline runs`. */
  name: string
  namespaces: readonly string[]
  queryKey: QueryKey
  /** Shows more rows. */
  grow: () => void
  /** Connects again now. */
  retry: () => void
}

/** What tables, badges and alerts need to know about a view. */
export function sourceOfView<T extends KubeObject>(
  { view, host, lost, isChanging }: ViewState,
  { name, namespaces, queryKey, grow, retry }: SourceOfView,
): Source<T> {
  const missing = missingParts(view)
  const isAllMissing = namespaces.length > 0 && missing.length === namespaces.length
  const isKnown = !view.isPending && !isAllMissing && (view.rows.length > 0 || !isArriving(view))
  const [failure] = missing
  return {
    name,
    // The engine has read these rows with the mask of the kind.
    rows: isKnown ? (view.rows as readonly T[]) : undefined,
    kind: objectRows,
    error:
      view.rejected === undefined
        ? (isAllMissing ? !failure?.isRetrying && failure?.error : emptyError(view)) || null
        : rejected(view),
    retryReason: isKnown
      ? undefined
      : isAllMissing && failure?.isRetrying
        ? failure.error
        : lost && lostError(lost.why),
    missing: isKnown ? missing : [],
    freshness: [{ name, queryKey, readBy: host && readBy[host] }],
    isFetching: isChanging || view.isPending || isAwaited(view),
    retry,
    more: isKnown ? moreRows(view, isChanging, grow) : undefined,
    window: { total: view.total, counts: view.facets, isArriving: isArriving(view) },
  }
}

const readBy: Record<ViewHost, string> = {
  service: 'The service for list views, which reads lists for all users.',
  worker: 'Your browser, since the service for list views cannot be reached or does not exist.',
}

/** Whether rows are on their way: of a list that the cluster has rejected, none are. */
const isAwaited = ({ loading, stale }: ClientView): boolean =>
  loading.some((namespace) => stale[namespace]?.rejectedWith === undefined)

const isArriving = ({ loading }: ClientView): boolean => loading.length > 0

function moreRows(view: ClientView, isChanging: boolean, load: () => void): MoreRows | undefined {
  const isCut = view.offset + view.rows.length < view.total
  return isCut || isArriving(view) ? { isLoading: isChanging || (isArriving(view) && !isCut), load } : undefined
}

function missingParts({ denied, unknown, loading, stale }: ClientView): MissingPart[] {
  const unread = loading.flatMap((namespace) => {
    const failed = stale[namespace]
    if (!failed) return []
    const { why, rejectedWith } = failed
    if (rejectedWith === undefined) return { name: partName(namespace), error: lostError(why), isRetrying: true }
    return { name: partName(namespace), error: errorOf(rejectedWith, 'Rejected', why) }
  })
  return [
    ...denied.map((namespace) => ({ name: partName(namespace), error: deniedError(namespace) })),
    ...unknown.map((namespace) => ({ name: partName(namespace), error: unknownError(namespace), isRetrying: true })),
    ...unread,
  ]
}

/** That there is nothing cannot be said of a list which the cluster has refused to return again. */
function emptyError({ total, stale }: ClientView): Error | undefined {
  const [failed] = total === 0 ? Object.values(stale) : []
  return failed?.rejectedWith === undefined ? undefined : errorOf(failed.rejectedWith, 'Rejected', failed.why)
}

const partName = (namespace: string): string => `namespace ${namespace}`

const errorOf = (code: number, reason: string, message: string): ApiError =>
  new ApiError({ code, reason, url: '', message })

const deniedError = (namespace: string) =>
  errorOf(403, 'Forbidden', `You don't have access to this list in namespace ${namespace}.`)
const unknownError = (namespace: string) =>
  errorOf(503, 'ServiceUnavailable', `Your access to namespace ${namespace} could not be checked.`)
const lostError = (why: string) => errorOf(503, 'ServiceUnavailable', why)
const rejected = ({ rejected = '' }: ClientView) => errorOf(400, 'BadRequest', rejected)

/**
 * What the badge says of a view, as of a watched list.
 * @param nowMs by the clock of this computer, in ms since 1970
 */
export function liveStateOfView({ view, host, lost }: ViewState, nowMs: number): ListWatchState {
  if (lost) return { connection: 'closed', reason: lost.why, asOf: lost.sinceMs, isPolling: false }
  const isUnread = (namespace: string) => view.loading.includes(namespace)
  const stale = Object.entries(view.stale)
  // What has not been read is missing, not old, unless that is everything.
  const old = Object.keys(view.versions).length > 0 ? stale.filter(([namespace]) => !isUnread(namespace)) : stale
  const [oldest] = old.map(([, each]) => each).toSorted((a, b) => a.sinceMs - b.sinceMs)
  if (oldest) {
    // The service counts by the clock of the cluster.
    const sinceMs = host === 'service' ? oldest.sinceMs - toServerTime(0) : oldest.sinceMs
    const isPolling = old.every(([, { isPolled }]) => isPolled)
    return { connection: 'error', reason: oldest.why, asOf: sinceMs, isPolling }
  }
  // Without a host, they are those of an earlier visit.
  return !host || view.isPending || view.loading.some((namespace) => !view.stale[namespace])
    ? { connection: 'init', isPolling: false }
    : { connection: 'open', asOf: nowMs, isPolling: false }
}
