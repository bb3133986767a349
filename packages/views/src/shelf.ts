import type { Clock } from '@slipway/kube/clock'
import { namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { bytesOfText, createColumn, type FieldColumn, valueOrNone } from './columns'
import { projection } from './projection'
import { createRowCodec } from './row-codec'
import type { ShelfSink, Stale } from './shelf-sink'
import { isAtLeast, laterVersion } from './version'
import type { ViewKind } from './view-kind'

/**
 * The rows of one kind in one namespace: each as a text, and in columns what rows are sorted, filtered and counted by. A
 * row has the same slot in all of them. Objects themselves are not retained.
 */
export interface Shelf {
  readonly kind: ViewKind
  readonly namespace: string
  readonly size: number
  /** Estimated memory. */
  readonly bytes: number
  /** The version of the list that has exactly these rows; `undefined` until the first list is complete. */
  readonly version: string | undefined
  /** The version of its last known change; an idle shelf has the same one wherever it is. */
  readonly floor: string | undefined
  /** The last time at which the cluster confirmed `version`, in milliseconds since 1970. */
  readonly confirmedMs: number
  readonly stale: Stale | undefined
  /** Grows with each change of rows, versions or staleness. */
  readonly revision: number
  readonly uids: readonly string[]
  /** Rows as `rowOf` reads them; that of a row differs once the row does. */
  readonly texts: readonly string[]
  /** The text of the row in lower case, and each of its identifiers in a line of its own. */
  readonly searchTexts: readonly string[]
  readonly columns: Readonly<Record<string, FieldColumn>>
  readonly rowOf: (text: string) => KubeObject
  slotOf(uid: string): number | undefined
  hasSeen(version: string): boolean
}

interface Row {
  uid: string
  version: string | undefined
  object: KubeObject
  text: string
}

/** A shelf that the reader of a list and a watch fills. */
export interface FilledShelf extends Shelf, ShelfSink {}

interface ShelfOptions {
  kind: ViewKind
  namespace: string
  clock: Clock
  onChange(): void
}

/** Slots in the maps and lists of a shelf, for each row. */
const bytesPerRow = 120

export function createShelf({ kind, namespace, clock, onChange }: ShelfOptions): FilledShelf {
  const project = projection(kind.mask)
  const codec = createRowCodec()
  const slots = new Map<string, number>()
  const uids: string[] = []
  const texts: string[] = []
  const searchTexts: string[] = []
  const resourceVersions: (string | undefined)[] = []
  const columns = Object.fromEntries(Object.entries(kind.fields).map(([name, field]) => [name, createColumn(field)]))
  const allColumns = Object.values(columns)
  let textBytes = 0
  let version: string | undefined
  let floor: string | undefined
  let confirmedMs = clock.now()
  let stale: Stale | undefined
  let revision = 0
  /** A list in progress. Its rows wait until it is complete, unless there is nothing yet that they would be mixed with. */
  let listing: { seen: Set<string>; waiting: Row[]; waitingBytes: number } | undefined

  function changed() {
    revision++
    onChange()
  }

  /** An object of another namespace is never added, whatever its reader watches: who may see it is decided by namespace. */
  function toRow(object: KubeObject): Row | undefined {
    const uid = uidOf(object)
    if (!uid || namespaceOf(object) !== namespace) return undefined
    const row = project(object)
    return { uid, version: object.metadata.resourceVersion, object: row, text: codec.encode(row) }
  }

  const bytesAt = (slot: number) =>
    bytesPerRow + bytesOfText(uids[slot]) + bytesOfText(texts[slot]) + bytesOfText(searchTexts[slot])

  function put({ uid, version: rowVersion, object, text }: Row) {
    const known = slots.get(uid)
    const slot = known ?? uids.length
    floor = laterVersion(floor, rowVersion)
    resourceVersions[slot] = rowVersion
    if (texts[slot] === text) return
    if (known !== undefined) textBytes -= bytesAt(known)
    slots.set(uid, slot)
    uids[slot] = uid
    texts[slot] = text
    searchTexts[slot] = searchTextOf(kind, object)
    textBytes += bytesAt(slot)
    for (const column of allColumns) column.set(slot, object)
  }

  function remove(uid: string) {
    const slot = slots.get(uid)
    if (slot === undefined) return
    textBytes -= bytesAt(slot)
    const last = uids.length - 1
    for (const column of allColumns) column.moveLast(last, slot)
    for (const values of [uids, texts, searchTexts]) {
      values[slot] = values[last] ?? ''
      values.length = last
    }
    resourceVersions[slot] = resourceVersions[last]
    resourceVersions.length = last
    slots.delete(uid)
    const moved = uids[slot]
    if (moved !== undefined) slots.set(moved, slot)
  }

  return {
    kind,
    namespace,
    uids,
    texts,
    searchTexts,
    columns,
    get size() {
      return uids.length
    },
    get bytes() {
      return textBytes + (listing?.waitingBytes ?? 0) + allColumns.reduce((sum, { bytes }) => sum + bytes, 0)
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
    rowOf: codec.decode,
    slotOf: (uid) => slots.get(uid),
    hasSeen: (least) => version !== undefined && isAtLeast(version, least),

    beginList() {
      listing = { seen: new Set(), waiting: [], waitingBytes: 0 }
    },
    addPage(objects) {
      if (!listing) throw new Error('A page came without the beginning of its list.')
      for (const object of objects) {
        const uid = uidOf(object)
        listing.seen.add(uid)
        const slot = slots.get(uid)
        if (slot !== undefined && resourceVersions[slot] === object.metadata.resourceVersion) continue
        const row = toRow(object)
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
      for (const uid of [...uids]) if (!seen.has(uid)) remove(uid)
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
        const row = event.type === 'DELETED' ? undefined : toRow(event.object)
        if (row) put(row)
        else remove(uidOf(event.object))
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
  }
}

/** Lines are separated by line breaks, which are therefore replaced within a line. */
function searchTextOf(kind: ViewKind, row: KubeObject): string {
  const lines = [valueOrNone(() => kind.text(row)) ?? '', ...(valueOrNone(() => kind.identifiers(row)) ?? [])]
  return `${lines.map((line) => line.replaceAll('\n', ' ')).join('\n')}\n`.toLowerCase()
}
