import { valueOrNone } from './columns'
import { createRows } from './rows'
import { type Shelf, shelfOf, type ShelfState } from './shelf'
import type { Groups, ViewKind } from './view-kind'

/** A shelf of a kind that is derived from another one. */
export interface GroupedShelf extends Shelf {
  /** Records that rows of the other shelf have changed. */
  follow(uids: Iterable<string>): void
  /** Makes some of the rows that are made of these. Returns the uids of those that have changed. */
  advance(): ReadonlySet<string>
  /** Whether rows are still to be made. Until then the shelf has no version, as a list that has not arrived. */
  isBehind(): boolean
}

interface Options {
  kind: ViewKind
  groups: Groups
  /** The shelf of `groups.kind` in the namespace. */
  from: Shelf
}

/** The slots of a member in a map and a set. */
const bytesPerMember = 200
/** How many rows of the other shelf are read at a time: some 20 ms, in which the host does nothing else. */
export const mostReads = 500

/** Makes each row of all rows of another shelf that have the same key. */
export function createGroupedShelf({ kind, groups: { keyOf, rowOf }, from }: Options): GroupedShelf {
  const { namespace } = from
  const rows = createRows(kind, namespace)
  /** By uid of a row of the other shelf. */
  const keys = new Map<string, string>()
  const uidsByKey = new Map<string, Set<string>>()
  /** Rows of the other shelf to put into their groups. */
  const dueUids = new Set<string>(from.uids)
  /** Rows to make then. */
  const dueKeys = new Set<string>()
  // The other shelf may be ahead of the rows.
  let state: ShelfState = { ...stateOf(from), version: undefined, floor: undefined }

  const objectOf = (uid: string) => {
    const text = from.texts[from.slotOf(uid) ?? -1]
    return text === undefined ? undefined : from.rowOf(text)
  }

  /** Puts a row of the other shelf into its group. */
  function regroup(uid: string): void {
    const before = keys.get(uid)
    const object = objectOf(uid)
    const now = object && valueOrNone(() => keyOf(object))
    if (before !== undefined && before !== now) uidsByKey.get(before)?.delete(uid)
    if (now === undefined) keys.delete(uid)
    else {
      keys.set(uid, now)
      uidsByKey.set(now, (uidsByKey.get(now) ?? new Set()).add(uid))
    }
    for (const key of [before, now]) if (key !== undefined) dueKeys.add(key)
  }

  /** Returns how many rows of the other shelf it has read; a row that is removed counts as one. */
  function makeRow(key: string): number {
    const uid = `${namespace}/${key}`
    // In an order that says nothing about when they came.
    const objects = [...(uidsByKey.get(key) ?? [])].sort().flatMap((each) => objectOf(each) ?? [])
    if (objects.length === 0) uidsByKey.delete(key)
    const made = objects.length > 0 ? valueOrNone(() => rowOf(objects)) : undefined
    const row = made && rows.toRow({ ...made, metadata: { ...made.metadata, uid, namespace } })
    if (row) rows.put(row)
    else rows.remove(uid)
    return Math.max(1, objects.length)
  }

  const isBehind = () => dueUids.size + dueKeys.size > 0

  function advance() {
    let reads = 0
    for (const uid of dueUids) {
      if (reads >= mostReads) break
      dueUids.delete(uid)
      regroup(uid)
      reads++
    }
    // A row is made once, of all its members.
    for (const key of dueUids.size > 0 ? [] : dueKeys) {
      if (reads >= mostReads) break
      dueKeys.delete(key)
      reads += makeRow(key)
    }
    const { revision } = state
    state = { ...stateOf(from), revision: revision + 1, ...(isBehind() && { version: undefined, floor: state.floor }) }
    return rows.takeChanged()
  }

  function follow(uids: Iterable<string>) {
    for (const uid of uids) dueUids.add(uid)
  }

  const extraBytes = () => keys.size * bytesPerMember
  const shelf = shelfOf({ kind, namespace, rows, extraBytes, stateOf: () => state })
  return Object.assign(shelf, { follow, advance, isBehind })
}

const stateOf = ({ version, floor, confirmedMs, stale, revision }: Shelf): ShelfState => ({
  version,
  floor,
  confirmedMs,
  stale,
  revision,
})
