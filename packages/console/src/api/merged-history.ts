import type { KubeObject } from '@slipway/kube/object'
import { commitShaOf } from '@slipway/model/supply-chain/commit'
import { type Run, startKey, startOf } from '@slipway/model/runs/tekton'
import { changesOf, createIncrementalSort } from '../lib/incremental-sort'
import { markDeleted, originOf } from './origin'
import type { RunSelection } from './tekton-results'

type Narrowing = Pick<RunSelection, 'name' | 'createdAfter' | 'commit' | 'limit'>

/** What an archive is asked for, of a list of the cluster. */
export function selectRuns<T extends KubeObject>(items: readonly T[], selection: Narrowing): readonly T[] {
  const { name, createdAfter, commit } = selection
  const part = name?.trim().toLowerCase()
  const afterMs = Date.parse(createdAfter ?? '')
  if (!part && !commit && Number.isNaN(afterMs)) return items
  return items.filter(
    (item) =>
      (!part || item.metadata.name?.toLowerCase().includes(part)) &&
      (Number.isNaN(afterMs) || Date.parse(item.metadata.creationTimestamp ?? '') > afterMs) &&
      (!commit || commitShaOf(item) === commit),
  )
}

/**
 * Answers how to make one list, newest start first, of what the cluster has and what an archive has kept: each object
 * once, as the cluster has it where it has it. One that the cluster loses meanwhile stays, marked, until an archive
 * has it. Asked again it looks only at what has changed.
 */
export function mergeHistory<T extends KubeObject>(
  selection: Narrowing,
): (live: readonly T[] | undefined, kept: readonly T[]) => T[] {
  const inOrder = createIncrementalSort<T, string>({ idOf: identityOf, valueOf: orderOf, compare: descending })
  const liveIds = new Set<string>()
  const deleted = new Map<string, T>()
  let before: readonly T[] = []
  let archive: { of: readonly T[]; rows: Map<string, T> } | undefined

  function follow(live: readonly T[]) {
    const { gone, fresh } = changesOf(before, live)
    before = live
    for (const row of gone) liveIds.delete(identityOf(row))
    for (const row of fresh) {
      liveIds.add(identityOf(row))
      deleted.delete(identityOf(row))
    }
    for (const row of gone) if (!liveIds.has(identityOf(row))) deleted.set(identityOf(row), markDeleted(row))
  }

  return (live = before, kept) => {
    follow(live)
    // Pages of an archive overlap when it was added to between them.
    if (archive?.of !== kept) archive = { of: kept, rows: new Map(kept.map((row) => [identityOf(row), row])) }
    const { rows } = archive
    const past = [...rows].flatMap(([id, row]) => (liveIds.has(id) ? [] : row))
    const lost = [...deleted].flatMap(([id, row]) => (rows.has(id) ? [] : row))
    const all = inOrder([...selectRuns(live, selection), ...past, ...selectRuns(lost, selection)])
    return selection.limit === undefined ? all : all.slice(0, selection.limit)
  }
}

/** The same, once. */
export const mergeRuns = <T extends KubeObject>(live: readonly T[], kept: readonly T[], limit?: number): T[] =>
  mergeHistory<T>(limit === undefined ? {} : { limit })(live, kept)

const identityOf = ({ metadata: { uid, namespace, name } }: KubeObject): string => uid ?? `${namespace}/${name}`

/** Of a run its start; what has not begun is newest of all, unless it is gone and never will. */
const orderOf = (object: KubeObject): string => {
  const run = object as Run // The times of one are read where there are any.
  return originOf(run) ? startOf(run) : startKey(run)
}

const descending = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1)
