import { valueOrNone } from './columns'
import { createRows } from './rows'
import type { Shelf } from './shelf'
import { isAtLeast } from './version'
import type { Groups, ViewKind } from './view-kind'

/** A shelf of a kind that is derived from another one. */
export interface GroupedShelf extends Shelf {
  /** Makes the rows of what has changed in the other shelf. */
  follow(): void
}

interface Options {
  kind: ViewKind
  groups: Groups
  /** The shelf of `groups.kind` in the namespace. */
  from: Shelf
}

/** The slots of a member in two maps. */
const bytesPerMember = 200

/**
 * Makes each row of all rows of another shelf that have the same key. What has changed there is seen from its texts: it
 * does not matter whether it came in a list, in an event or after a gap.
 */
export function createGroupedShelf({ kind, groups: { keyOf, rowOf }, from }: Options): GroupedShelf {
  const { namespace } = from
  const rows = createRows(kind, namespace)
  /** The rows of the other shelf, by uid. */
  const members = new Map<string, { text: string; key: string | undefined }>()
  const uidsByKey = new Map<string, Set<string>>()
  // The other shelf may be ahead of the rows for a moment.
  let { version, floor, confirmedMs, stale, revision } = from

  function join(uid: string, text: string): string | undefined {
    const key = valueOrNone(() => keyOf(from.rowOf(text)))
    members.set(uid, { text, key })
    if (key !== undefined) uidsByKey.set(key, (uidsByKey.get(key) ?? new Set()).add(uid))
    return key
  }

  function leave(uid: string): string | undefined {
    const key = members.get(uid)?.key
    members.delete(uid)
    if (key !== undefined) uidsByKey.get(key)?.delete(uid)
    return key
  }

  /** Returns the keys whose rows have to be made again. */
  function regroup(): Set<string | undefined> {
    const touched = new Set<string | undefined>()
    for (const uid of [...members.keys()]) if (from.slotOf(uid) === undefined) touched.add(leave(uid))
    for (const [slot, uid] of from.uids.entries()) {
      const text = from.texts[slot] ?? ''
      if (members.get(uid)?.text === text) continue
      touched.add(leave(uid))
      touched.add(join(uid, text))
    }
    return touched
  }

  function makeRow(key: string) {
    const uid = `${namespace}/${key}`
    // In an order that says nothing about when they came.
    const texts = [...(uidsByKey.get(key) ?? [])].sort().flatMap((each) => members.get(each)?.text ?? [])
    if (texts.length === 0) uidsByKey.delete(key)
    const made = texts.length > 0 ? valueOrNone(() => rowOf(texts.map(from.rowOf))) : undefined
    const row = made && rows.toRow({ ...made, metadata: { ...made.metadata, uid, namespace } })
    if (row) rows.put(row)
    else rows.remove(uid)
  }

  function follow() {
    for (const key of regroup()) if (key !== undefined) makeRow(key)
    ;({ version, floor, confirmedMs, stale, revision } = from)
  }

  follow()
  return {
    kind,
    namespace,
    uids: rows.uids,
    texts: rows.texts,
    searchTexts: rows.searchTexts,
    columns: rows.columns,
    rowOf: rows.rowOf,
    slotOf: rows.slotOf,
    get size() {
      return rows.size
    },
    get bytes() {
      return rows.bytes + members.size * bytesPerMember
    },
    get version() {
      return version
    },
    get floor() {
      return floor
    },
    get confirmedMs() {
      return confirmedMs
    },
    get stale() {
      return stale
    },
    get revision() {
      return revision
    },
    hasSeen: (least) => version !== undefined && isAtLeast(version, least),
    follow,
  }
}
