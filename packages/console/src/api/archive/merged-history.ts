import type { KubeObject } from '@slipway/kube/object'
import { isOfSnapshot } from '@slipway/model/runs/run-actions'
import { commitShaOf } from '@slipway/model/git/git-facts'
import { changesOf, type Order, type Sorted, sortIncrementally } from '../../lib/incremental-sort'
import { markDeleted } from './origin'
import type { ArchiveSelection } from './request'

type Narrowing = Pick<ArchiveSelection, 'name' | 'createdAfter' | 'commit' | 'snapshot' | 'limit'>

/** What objects of a kind are sorted by, newest first: a time, or text that sorts like one. */
export type NewestBy<T> = (object: T) => string

export const byCreation: NewestBy<KubeObject> = ({ metadata }) => metadata.creationTimestamp ?? ''

/** Selects from a list of the cluster what an archive would select. */
export function selectObjects<T extends KubeObject>(items: readonly T[], selection: Narrowing): readonly T[] {
  const { name, createdAfter, commit, snapshot } = selection
  const part = name?.trim().toLowerCase()
  const afterMs = Date.parse(createdAfter ?? '')
  if (!part && !commit && !snapshot && Number.isNaN(afterMs)) return items
  return items.filter(
    (item) =>
      (!part || item.metadata.name?.toLowerCase().includes(part)) &&
      (Number.isNaN(afterMs) || Date.parse(item.metadata.creationTimestamp ?? '') > afterMs) &&
      (!commit || commitShaOf(item) === commit) &&
      (!snapshot || isOfSnapshot(item, snapshot)),
  )
}

export interface HistoryParts<T> {
  /** Objects in the cluster; `undefined` while they are not known. */
  live: readonly T[] | undefined
  /** The loaded pages of an archive. */
  pages: readonly (readonly T[])[]
  selection: Narrowing
  newestBy: NewestBy<T>
  /** Whether `live` has every object of the cluster, so that one which disappears from it was deleted. */
  isComplete?: boolean
}

/** One list of the objects in the cluster and in an archive, with what is needed to merge the next one. */
export interface MergedHistory<T> {
  live: readonly T[]
  pages: readonly (readonly T[])[]
  isComplete: boolean
  liveIds: ReadonlySet<string>
  /** Objects deleted from the cluster since the first merge, marked. */
  deleted: ReadonlyMap<string, T>
  /** By identity, since pages of an archive overlap when objects were added between them. */
  archived: ReadonlyMap<string, T>
  sorted: Sorted<T, string>
  /** Newest first. */
  items: readonly T[]
}

/**
 * Merges the objects in the cluster and in an archive, newest first. Each object appears once, in the cluster's version
 * if there is one. An object that is deleted from the cluster stays, marked, until an archive has it. When single
 * objects have changed, only these are processed again.
 */
export function mergeHistory<T extends KubeObject>(
  { live: current, pages, selection, newestBy, isComplete = true }: HistoryParts<T>,
  before?: MergedHistory<T>,
): MergedHistory<T> {
  const live = current ?? before?.live ?? []
  if (before && live === before.live && pages === before.pages && isComplete === before.isComplete) return before
  const { liveIds, deleted } = follow(live, isComplete, before)
  const archived =
    before?.pages === pages ? before.archived : new Map(pages.flat().map((object) => [identityOf(object), object]))
  const past = [...archived].flatMap(([id, object]) => (liveIds.has(id) ? [] : object))
  const lost = [...deleted].flatMap(([id, object]) => (archived.has(id) ? [] : object))
  const order: Order<T, string> = { idOf: identityOf, valueOf: newestBy, compare: descending }
  const all = [...selectObjects(live, selection), ...past, ...selectObjects(lost, selection)]
  const sorted = sortIncrementally(all, order, before?.sorted)
  const { limit } = selection
  const items =
    before && sorted.rows === before.sorted.rows
      ? before.items
      : limit === undefined
        ? sorted.rows
        : sorted.rows.slice(0, limit)
  return { live, pages, isComplete, liveIds, deleted, archived, sorted, items }
}

/** Which objects are in the cluster, and which were deleted. The sets stay the same while no object comes or goes. */
function follow<T extends KubeObject>(
  live: readonly T[],
  isComplete: boolean,
  before: MergedHistory<T> | undefined,
): Pick<MergedHistory<T>, 'liveIds' | 'deleted'> {
  if (!before?.isComplete || !isComplete) {
    const liveIds = new Set(live.map(identityOf))
    return { liveIds, deleted: new Map([...(before?.deleted ?? [])].filter(([id]) => !liveIds.has(id))) }
  }
  const { gone, fresh } = changesOf(before.live, live)
  const freshIds = new Set(fresh.map(identityOf))
  const lost = [...gone].filter((object) => !freshIds.has(identityOf(object)))
  const isSame = lost.length === 0 && [...freshIds].every((id) => before.liveIds.has(id))
  if (isSame) return before
  const liveIds = new Set(before.liveIds)
  const deleted = new Map(before.deleted)
  for (const id of freshIds) {
    liveIds.add(id)
    deleted.delete(id)
  }
  for (const object of lost) {
    liveIds.delete(identityOf(object))
    deleted.set(identityOf(object), markDeleted(object))
  }
  return { liveIds, deleted }
}

/** Merges without an earlier result. */
export const mergeOnce = <T extends KubeObject>(
  live: readonly T[],
  archived: readonly T[],
  newestBy: NewestBy<T>,
  limit?: number,
): readonly T[] => mergeHistory({ live, pages: [archived], selection: { ...(limit && { limit }) }, newestBy }).items

const identityOf = ({ metadata: { uid, namespace, name } }: KubeObject): string => uid ?? `${namespace}/${name}`

const descending = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1)
