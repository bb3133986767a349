import type { Clock } from '@slipway/kube/clock'
import type { ViewQuery } from './frame'
import { createGroupedShelf } from './grouped-shelf'
import { createShelf, type Shelf } from './shelf'
import type { ShelfSink } from './shelf-sink'
import type { Groups, ViewKind } from './view-kind'
import { computeWindow, type Window } from './window'

export interface ShelvesOptions {
  kinds: readonly ViewKind[]
  /** Lists and watches one kind in one namespace, until it is closed. */
  read(kind: ViewKind, namespace: string, sink: ShelfSink): { close(): void }
  clock: Clock
  /** Shelves are dropped beyond this, the least recently used first. */
  maxBytes: number
  /** How long a shelf stays after its last use, in milliseconds. */
  keepMs: number
}

/** The shelves of all users of a process: one for each kind and namespace that is in use. */
export interface Shelves {
  /** Uses a shelf, which is opened if need be. The listener is called after each change of it. */
  use(kind: ViewKind, namespace: string, listener: ShelfListener): ShelfLease
  /** Computes a window once for all views that show the same. @param shelves in use by the caller */
  window(kind: ViewKind, shelves: readonly Shelf[], query: ViewQuery): Window
  /** Estimated memory of all rows. */
  readonly bytes: number
  /** How many shelves there are. */
  readonly count: number
  close(): void
}

/** @param uids of the rows that have changed, if the shelf still has rows */
type ShelfListener = (uids: ReadonlySet<string>) => void

export interface ShelfLease {
  readonly shelf: Shelf
  /** Whether there was not enough memory for it. Its rows are gone; the next use reads them again. */
  readonly isDropped: boolean
  release(): void
}

interface Entry {
  key: string
  shelf: Shelf
  listeners: Set<ShelfListener>
  /** When it was last used, in the order of uses. */
  use: number
  isDropped: boolean
  /** Stops reading, or following another shelf. */
  close(): void
  cancelDrop(): void
}

/** How many windows are remembered: those of views that are open at the same time and show the same. */
const mostWindows = 200

export function createShelves({ read, clock, maxBytes, keepMs }: ShelvesOptions): Shelves {
  const entries = new Map<string, Entry>()
  const windows = new Map<string, { shelves: readonly Shelf[]; revisions: string; window: Window }>()
  let uses = 0

  const totalBytes = () => [...entries.values()].reduce((sum, { shelf }) => sum + shelf.bytes, 0)

  const keyOf = (kind: ViewKind, namespace: string) => `${kind.id} ${namespace}`

  function add(shelf: Shelf): Entry {
    const key = keyOf(shelf.kind, shelf.namespace)
    const entry: Entry = {
      key,
      shelf,
      listeners: new Set(),
      use: ++uses,
      isDropped: false,
      close() {},
      cancelDrop() {},
    }
    entries.set(key, entry)
    return entry
  }

  function onChange(entry: Entry, uids: ReadonlySet<string>) {
    makeRoom()
    notify(entry, uids)
  }

  function notify({ listeners }: Entry, uids: ReadonlySet<string>) {
    for (const listener of [...listeners]) listener(uids)
  }

  function open(kind: ViewKind, namespace: string): Entry {
    const shelf = createShelf({ kind, namespace, clock, onChange: (uids) => onChange(entry, uids) })
    const entry = add(shelf)
    /** What a reader still reports after it was closed has no effect. */
    const unlessDropped = (act: () => void) => {
      if (!entry.isDropped) act()
    }
    const reader = read(kind, namespace, {
      beginList: () => unlessDropped(() => shelf.beginList()),
      addPage: (objects) => unlessDropped(() => shelf.addPage(objects)),
      endList: (version) => unlessDropped(() => shelf.endList(version)),
      apply: (events, seen) => unlessDropped(() => shelf.apply(events, seen)),
      setStale: (why, reason) => unlessDropped(() => shelf.setStale(why, reason)),
    })
    entry.close = () => reader.close()
    // It may have been too large for the memory at once.
    if (entry.isDropped) reader.close()
    return entry
  }

  /** Opens a shelf that uses another one as long as it is there, and is dropped with it. */
  function openGrouped(kind: ViewKind, groups: Groups, namespace: string): Entry {
    const from = use(groups.kind, namespace, (uids) => {
      if (from.isDropped) return drop(entry)
      shelf.follow(uids)
      if (!cancelNext) onChange(entry, advance())
    })
    const shelf = createGroupedShelf({ kind, groups, from: from.shelf })
    const entry = add(shelf)
    let cancelNext: (() => void) | undefined
    /** Of a long list, the host does something else between two parts. */
    function advance(): ReadonlySet<string> {
      const changed = shelf.advance()
      cancelNext = shelf.isBehind() ? clock.after(0, () => onChange(entry, advance())) : undefined
      return changed
    }
    entry.close = () => {
      cancelNext?.()
      from.release()
    }
    if (from.isDropped) drop(entry)
    else {
      advance()
      makeRoom()
    }
    return entry
  }

  function drop(entry: Entry) {
    if (entry.isDropped) return
    entry.isDropped = true
    entry.cancelDrop()
    entries.delete(entry.key)
    entry.close()
    for (const [key, { shelves }] of windows) if (shelves.includes(entry.shelf)) windows.delete(key)
    notify(entry, none)
  }

  /** Drops shelves that nothing uses first, and those in use only if these are not enough. */
  function makeRoom() {
    if (totalBytes() <= maxBytes) return
    const isUsed = ({ listeners }: Entry) => (listeners.size > 0 ? 1 : 0)
    const leastUsed = [...entries.values()].sort((a, b) => isUsed(a) - isUsed(b) || a.use - b.use)
    for (const entry of leastUsed) {
      // One that was derived from it is dropped with it.
      if (totalBytes() <= maxBytes) return
      drop(entry)
    }
  }

  function use(kind: ViewKind, namespace: string, given: ShelfListener): ShelfLease {
    const entry =
      entries.get(keyOf(kind, namespace)) ??
      (kind.groups ? openGrouped(kind, kind.groups, namespace) : open(kind, namespace))
    // The same listener may use a shelf twice.
    const listener: ShelfListener = (uids) => given(uids)
    entry.listeners.add(listener)
    entry.use = ++uses
    entry.cancelDrop()
    return {
      shelf: entry.shelf,
      get isDropped() {
        return entry.isDropped
      },
      release() {
        if (!entry.listeners.delete(listener) || entry.listeners.size > 0 || entry.isDropped) return
        entry.cancelDrop = clock.after(keepMs, () => drop(entry))
      },
    }
  }

  return {
    use,
    window(kind, shelves, query) {
      const { namespaces: _, ...rest } = query
      const key = JSON.stringify([kind.id, shelves.map(({ namespace }) => namespace), rest])
      const revisions = shelves.map(({ revision }) => revision).join()
      const known = windows.get(key)
      windows.delete(key)
      const isCurrent = known?.revisions === revisions && known.shelves.every((shelf, at) => shelf === shelves[at])
      const window = isCurrent ? known.window : computeWindow(kind, shelves, query)
      windows.set(key, { shelves: [...shelves], revisions, window })
      const [oldest] = windows.keys()
      if (windows.size > mostWindows && oldest !== undefined) windows.delete(oldest)
      return window
    },
    get bytes() {
      return totalBytes()
    },
    get count() {
      return entries.size
    },
    close() {
      for (const entry of [...entries.values()]) drop(entry)
    },
  }
}

const none: ReadonlySet<string> = new Set()
