import { valueOrNone } from './columns'
import { createRows } from './rows'
import { type Shelf, shelfOf, type ShelfState } from './shelf'
import type { Groups, ViewKind } from './view-kind'

/** A shelf of a kind that is derived from another one. */
export interface GroupedShelf extends Shelf {
  /** Makes the rows of which the other shelf has changed some. Returns the uids of those that have changed. */
  follow(uids: Iterable<string>): ReadonlySet<string>
}

interface Options {
  kind: ViewKind
  groups: Groups
  /** The shelf of `groups.kind` in the namespace. */
  from: Shelf
}

/** The slots of a member in a map and a set. */
const bytesPerMember = 200

/** Makes each row of all rows of another shelf that have the same key. */
export function createGroupedShelf({ kind, groups: { keyOf, rowOf }, from }: Options): GroupedShelf {
  const { namespace } = from
  const rows = createRows(kind, namespace)
  /** By uid of a row of the other shelf. */
  const keys = new Map<string, string>()
  const uidsByKey = new Map<string, Set<string>>()
  // The other shelf may be ahead of the rows for a moment.
  let state: ShelfState = stateOf(from)

  const objectOf = (uid: string) => {
    const text = from.texts[from.slotOf(uid) ?? -1]
    return text === undefined ? undefined : from.rowOf(text)
  }

  /** Puts a row of the other shelf into its group. Returns the keys of the groups that it was and is in. */
  function regroup(uid: string): (string | undefined)[] {
    const before = keys.get(uid)
    const object = objectOf(uid)
    const now = object && valueOrNone(() => keyOf(object))
    if (before !== undefined && before !== now) uidsByKey.get(before)?.delete(uid)
    if (now === undefined) keys.delete(uid)
    else {
      keys.set(uid, now)
      uidsByKey.set(now, (uidsByKey.get(now) ?? new Set()).add(uid))
    }
    return [before, now]
  }

  function makeRow(key: string) {
    const uid = `${namespace}/${key}`
    // In an order that says nothing about when they came.
    const objects = [...(uidsByKey.get(key) ?? [])].sort().flatMap((each) => objectOf(each) ?? [])
    if (objects.length === 0) uidsByKey.delete(key)
    const made = objects.length > 0 ? valueOrNone(() => rowOf(objects)) : undefined
    const row = made && rows.toRow({ ...made, metadata: { ...made.metadata, uid, namespace } })
    if (row) rows.put(row)
    else rows.remove(uid)
  }

  function follow(uids: Iterable<string>) {
    const touched = new Set([...uids].flatMap(regroup))
    for (const key of touched) if (key !== undefined) makeRow(key)
    state = stateOf(from)
    return rows.takeChanged()
  }

  follow(from.uids)
  const extraBytes = () => keys.size * bytesPerMember
  return Object.assign(shelfOf({ kind, namespace, rows, extraBytes, stateOf: () => state }), { follow })
}

const stateOf = ({ version, floor, confirmedMs, stale, revision }: Shelf): ShelfState => ({
  version,
  floor,
  confirmedMs,
  stale,
  revision,
})
