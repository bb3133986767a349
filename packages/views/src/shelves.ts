import type { Clock } from '@slipway/kube/clock'
import type { ViewQuery } from './frame'
import { createShelf, type FilledShelf, type Shelf } from './shelf'
import type { ShelfSink } from './shelf-sink'
import type { ViewKind } from './view-kind'
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
  use(kind: ViewKind, namespace: string, listener: () => void): ShelfLease
  /** Computes a window once for all views that show the same. @param shelves in use by the caller */
  window(kind: ViewKind, shelves: readonly Shelf[], query: ViewQuery): Window
  /** Estimated memory of all rows. */
  readonly bytes: number
  /** How many shelves there are. */
  readonly count: number
  close(): void
}

export interface ShelfLease {
  readonly shelf: Shelf
  /** Whether there was not enough memory for it. Its rows are gone; the next use reads them again. */
  readonly isDropped: boolean
  release(): void
}

interface Entry {
  key: string
  shelf: FilledShelf
  listeners: Set<() => void>
  /** When it was last used, in the order of uses. */
  use: number
  isDropped: boolean
  reader: { close(): void } | undefined
  cancelDrop(): void
}

/** How many windows are remembered: those of views that are open at the same time and show the same. */
const mostWindows = 200

export function createShelves({ read, clock, maxBytes, keepMs }: ShelvesOptions): Shelves {
  const entries = new Map<string, Entry>()
  const windows = new Map<string, { shelves: readonly Shelf[]; revisions: string; window: Window }>()
  let uses = 0

  const totalBytes = () => [...entries.values()].reduce((sum, { shelf }) => sum + shelf.bytes, 0)

  function open(kind: ViewKind, namespace: string): Entry {
    const key = `${kind.id} ${namespace}`
    const onChange = () => {
      makeRoom()
      for (const listener of [...entry.listeners]) listener()
    }
    const shelf = createShelf({ kind, namespace, clock, onChange })
    const entry: Entry = {
      key,
      shelf,
      listeners: new Set(),
      use: ++uses,
      isDropped: false,
      reader: undefined,
      cancelDrop() {},
    }
    entries.set(key, entry)
    entry.reader = read(kind, namespace, guarded(entry))
    // It may have been too large for the memory at once.
    if (entry.isDropped) entry.reader.close()
    return entry
  }

  /** What a reader still reports after it was closed has no effect. */
  function guarded(entry: Entry): ShelfSink {
    const unlessDropped = (act: () => void) => {
      if (!entry.isDropped) act()
    }
    return {
      beginList: () => unlessDropped(() => entry.shelf.beginList()),
      addPage: (objects) => unlessDropped(() => entry.shelf.addPage(objects)),
      endList: (version) => unlessDropped(() => entry.shelf.endList(version)),
      apply: (events, seen) => unlessDropped(() => entry.shelf.apply(events, seen)),
      setStale: (why, reason) => unlessDropped(() => entry.shelf.setStale(why, reason)),
    }
  }

  function drop(entry: Entry) {
    entry.isDropped = true
    entry.cancelDrop()
    entries.delete(entry.key)
    entry.reader?.close()
    for (const [key, { shelves }] of windows) if (shelves.includes(entry.shelf)) windows.delete(key)
    for (const listener of [...entry.listeners]) listener()
  }

  /** Drops shelves that nothing uses first, and those in use only if these are not enough. */
  function makeRoom() {
    let bytes = totalBytes()
    if (bytes <= maxBytes) return
    const isUsed = ({ listeners }: Entry) => (listeners.size > 0 ? 1 : 0)
    const leastUsed = [...entries.values()].sort((a, b) => isUsed(a) - isUsed(b) || a.use - b.use)
    for (const entry of leastUsed) {
      if (bytes <= maxBytes) return
      bytes -= entry.shelf.bytes
      drop(entry)
    }
  }

  return {
    use(kind, namespace, notify) {
      const entry = entries.get(`${kind.id} ${namespace}`) ?? open(kind, namespace)
      // The same listener may use a shelf twice.
      const listener = () => notify()
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
    },
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
