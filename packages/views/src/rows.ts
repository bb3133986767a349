import { namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { bytesOfText, createColumn, type FieldColumn, valueOrNone } from './columns'
import { projection } from './projection'
import { createRowCodec } from './row-codec'
import type { ViewKind } from './view-kind'

/**
 * The rows of one kind in one namespace: each as a text, and in columns what rows are sorted, filtered and counted by. A
 * row has the same slot in all of them. Objects themselves are not retained.
 */
export interface Rows {
  readonly size: number
  /** Estimated memory. */
  readonly bytes: number
  readonly uids: readonly string[]
  /** Rows as `rowOf` reads them; that of a row differs once the row does. */
  readonly texts: readonly string[]
  /** The text of the row in lower case, and each of its identifiers in a line of its own. */
  readonly searchTexts: readonly string[]
  readonly columns: Readonly<Record<string, FieldColumn>>
  readonly rowOf: (text: string) => KubeObject
  slotOf(uid: string): number | undefined
}

export interface Row {
  uid: string
  version: string | undefined
  object: KubeObject
  text: string
}

export interface FilledRows extends Rows {
  /** An object of another namespace is not a row, whatever its reader watches: who may see it is decided by namespace. */
  toRow(object: KubeObject): Row | undefined
  put(row: Row): void
  remove(uid: string): void
  /** The resource version of a row, if there is one. */
  versionOf(uid: string): string | undefined
  /** The uids of the rows that were added, changed or removed since this was called last. */
  takeChanged(): ReadonlySet<string>
}

/** Slots in the maps and lists of the rows, for each of them. */
export const bytesPerRow = 120

export function createRows(kind: ViewKind, namespace: string): FilledRows {
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
  let changed = new Set<string>()

  const bytesAt = (slot: number) =>
    bytesPerRow + bytesOfText(uids[slot]) + bytesOfText(texts[slot]) + bytesOfText(searchTexts[slot])

  return {
    uids,
    texts,
    searchTexts,
    columns,
    get size() {
      return uids.length
    },
    get bytes() {
      return textBytes + allColumns.reduce((sum, { bytes }) => sum + bytes, 0)
    },
    rowOf: codec.decode,
    slotOf: (uid) => slots.get(uid),
    versionOf: (uid) => resourceVersions[slots.get(uid) ?? -1],
    takeChanged() {
      const taken = changed
      changed = new Set()
      return taken
    },

    toRow(object) {
      const uid = uidOf(object)
      if (!uid || namespaceOf(object) !== namespace) return undefined
      const row = project(object)
      return { uid, version: object.metadata.resourceVersion, object: row, text: codec.encode(row) }
    },
    put({ uid, version, object, text }) {
      const known = slots.get(uid)
      const slot = known ?? uids.length
      resourceVersions[slot] = version
      if (texts[slot] === text) return
      changed.add(uid)
      if (known !== undefined) textBytes -= bytesAt(known)
      slots.set(uid, slot)
      uids[slot] = uid
      texts[slot] = text
      searchTexts[slot] = searchTextOf(kind, object)
      textBytes += bytesAt(slot)
      for (const column of allColumns) column.set(slot, object)
    },
    remove(uid) {
      const slot = slots.get(uid)
      if (slot === undefined) return
      changed.add(uid)
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
    },
  }
}

/** Lines are separated by line breaks, which are therefore replaced within a line. */
function searchTextOf(kind: ViewKind, row: KubeObject): string {
  const lines = [valueOrNone(() => kind.text(row)) ?? '', ...(valueOrNone(() => kind.identifiers(row)) ?? [])]
  return `${lines.map((line) => line.replaceAll('\n', ' ')).join('\n')}\n`.toLowerCase()
}
