import type { Clock } from '@slipway/kube/clock'
import { uidOf } from '@slipway/kube/object'
import { bytesOfText } from './columns'
import { bytesPerRow, createRows, type Row, type Rows } from './rows'
import type { ShelfSink, Stale } from './shelf-sink'
import { isAtLeast, laterVersion } from './version'
import type { ViewKind } from './view-kind'

/** The rows of one kind in one namespace, and how far they are those of the cluster. */
export interface Shelf extends Rows, Readonly<ShelfState> {
  readonly kind: ViewKind
  readonly namespace: string
  hasSeen(version: string): boolean
}

export interface ShelfState {
  /** The version of the list that has exactly these rows; `undefined` until the first list is complete. */
  version: string | undefined
  /** The version of its last known change; an idle shelf has the same one wherever it is. */
  floor: string | undefined
  /** The last time at which the cluster confirmed `version`, in milliseconds since 1970. */
  confirmedMs: number
  stale: Stale | undefined
  /** Grows with each change of rows, versions or staleness. */
  revision: number
}

interface ShelfParts {
  kind: ViewKind
  namespace: string
  rows: Rows
  /** Estimated memory of everything but the rows. */
  extraBytes(): number
  stateOf(): ShelfState
}

export const shelfOf = ({ kind, namespace, rows, extraBytes, stateOf }: ShelfParts): Shelf => ({
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
    return rows.bytes + extraBytes()
  },
  get version() {
    return stateOf().version
  },
  get floor() {
    return stateOf().floor
  },
  get confirmedMs() {
    return stateOf().confirmedMs
  },
  get stale() {
    return stateOf().stale
  },
  get revision() {
    return stateOf().revision
  },
  hasSeen(least) {
    const { version } = stateOf()
    return version !== undefined && isAtLeast(version, least)
  },
})

/** A shelf that the reader of a list and a watch fills. */
export interface FilledShelf extends Shelf, ShelfSink {}

interface ShelfOptions {
  kind: ViewKind
  namespace: string
  clock: Clock
  /** @param uids of the rows that have changed */
  onChange(uids: ReadonlySet<string>): void
}

export function createShelf({ kind, namespace, clock, onChange }: ShelfOptions): FilledShelf {
  const rows = createRows(kind, namespace)
  let version: string | undefined
  let floor: string | undefined
  let confirmedMs = clock.now()
  let stale: Stale | undefined
  let revision = 0
  /** A list in progress. Its rows wait until it is complete, unless there is nothing yet that they would be mixed with. */
  let listing: { seen: Set<string>; waiting: Row[]; waitingBytes: number } | undefined

  function changed() {
    revision++
    onChange(rows.takeChanged())
  }

  function put(row: Row) {
    floor = laterVersion(floor, row.version)
    rows.put(row)
  }

  const shelf = shelfOf({
    kind,
    namespace,
    rows,
    extraBytes: () => listing?.waitingBytes ?? 0,
    stateOf: () => ({ version, floor, confirmedMs, stale, revision }),
  })
  return Object.assign(shelf, {
    beginList() {
      listing = { seen: new Set(), waiting: [], waitingBytes: 0 }
    },
    addPage(objects) {
      if (!listing) throw new Error('A page came without the beginning of its list.')
      for (const object of objects) {
        const uid = uidOf(object)
        listing.seen.add(uid)
        if (rows.slotOf(uid) !== undefined && rows.versionOf(uid) === object.metadata.resourceVersion) continue
        const row = rows.toRow(object)
        if (!row) continue
        if (version === undefined) put(row)
        else {
          listing.waiting.push(row)
          listing.waitingBytes += bytesPerRow + 2 * bytesOfText(row.text)
        }
      }
      if (version === undefined) changed()
    },
    endList(listed) {
      if (!listing) throw new Error('A list ended without its beginning.')
      const { seen, waiting } = listing
      listing = undefined
      for (const uid of [...rows.uids]) if (!seen.has(uid)) rows.remove(uid)
      for (const row of waiting) put(row)
      version = listed
      confirmedMs = clock.now()
      stale = undefined
      changed()
    },
    apply(events, seen) {
      if (listing) throw new Error('An event came during a list.')
      for (const event of events) {
        if (event.type === 'ERROR') continue
        const { resourceVersion } = event.object.metadata
        if (seen === undefined) version = laterVersion(version, resourceVersion)
        if (event.type === 'BOOKMARK') continue
        floor = laterVersion(floor, resourceVersion)
        const row = event.type === 'DELETED' ? undefined : rows.toRow(event.object)
        if (row) put(row)
        else rows.remove(uidOf(event.object))
      }
      version = seen ?? version
      confirmedMs = clock.now()
      changed()
    },
    setStale(why, reason) {
      if (why === stale?.why && reason?.rejectedWith === stale?.rejectedWith) return
      stale = why === undefined ? undefined : { sinceMs: stale?.sinceMs ?? confirmedMs, why, ...reason }
      changed()
    },
  } satisfies ShelfSink)
}
