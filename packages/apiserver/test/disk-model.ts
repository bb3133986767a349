/** What a program does to its files, in order. */
export type Operation =
  | { type: 'create' | 'remove'; path: string }
  | { type: 'rename'; from: string; to: string }
  | { type: 'write'; path: string; position: number; bytes: Buffer }
  | { type: 'truncate'; path: string; length: number }
  /** Of a file or a folder. */
  | { type: 'sync'; path: string }
  | { type: 'output'; text: string }

type ContentChange = Extract<Operation, { type: 'write' | 'truncate' }>

interface File {
  durable: Buffer
  /** Changes since the last sync. */
  unsynced: ContentChange[]
}

/** The unit that a disk writes as a whole. */
const sectorBytes = 512

/**
 * A disk whose power may fail. Only what was synced is certain to be on it: the content of files by a sync of the file,
 * their names by a sync of the folder. Of later changes to content, any part may be there, in units of sectors; changes
 * to names are there in order up to some point, as with a journal.
 */
export interface Disk {
  apply(operation: Operation): void
  /** The files after a power failure at this moment. */
  afterPowerFailure(random: () => number): Map<string, Buffer>
}

export function createDisk(): Disk {
  const names = new Map<string, File>()
  let durableNames = new Map<string, File>()
  let unsyncedNames: ((names: Map<string, File>) => void)[] = []

  function fileAt(path: string): File {
    const file = names.get(path)
    if (!file) throw new Error(`${path} was changed before it was created`)
    return file
  }

  function rename(change: (names: Map<string, File>) => void) {
    change(names)
    unsyncedNames.push(change)
  }

  return {
    apply(operation) {
      switch (operation.type) {
        case 'create': {
          const file: File = { durable: Buffer.alloc(0), unsynced: [] }
          rename((all) => all.set(operation.path, file))
          break
        }
        case 'remove':
          rename((all) => all.delete(operation.path))
          break
        case 'rename': {
          const file = fileAt(operation.from)
          rename((all) => {
            all.delete(operation.from)
            all.set(operation.to, file)
          })
          break
        }
        case 'write':
        case 'truncate':
          fileAt(operation.path).unsynced.push(operation)
          break
        case 'sync': {
          const file = names.get(operation.path)
          if (file) {
            file.durable = withChanges(file.durable, file.unsynced)
            file.unsynced = []
          } else {
            durableNames = new Map(names)
            unsyncedNames = []
          }
          break
        }
        case 'output':
      }
    },
    afterPowerFailure(random) {
      // Nothing and everything are the likeliest outcomes on real disks; the rest is for what SQLite must withstand.
      const kind = random()
      const share = kind < 0.25 ? 0 : kind < 0.5 ? 1 : random()
      const survivors = new Map(durableNames)
      for (const change of unsyncedNames.slice(0, Math.round(share * unsyncedNames.length))) change(survivors)
      return new Map(
        [...survivors].map(([path, { durable, unsynced }]) => {
          const parts = unsynced.flatMap(sectorsOf).filter(() => random() < share)
          return [path, withChanges(durable, parts)]
        }),
      )
    },
  }
}

function sectorsOf(change: ContentChange): ContentChange[] {
  if (change.type === 'truncate') return [change]
  const parts: ContentChange[] = []
  const end = change.position + change.bytes.length
  for (let position = change.position; position < end;) {
    const next = Math.min(end, (Math.floor(position / sectorBytes) + 1) * sectorBytes)
    const bytes = change.bytes.subarray(position - change.position, next - change.position)
    parts.push({ ...change, position, bytes })
    position = next
  }
  return parts
}

/** A copy of the content with the changes; what lies between an old end and a later write is zero. */
function withChanges(content: Buffer, changes: readonly ContentChange[]): Buffer {
  const ends = changes.map((change) => (change.type === 'write' ? change.position + change.bytes.length : 0))
  const room = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), content.length))
  content.copy(room)
  let { length } = content
  for (const change of changes) {
    if (change.type === 'write') {
      change.bytes.copy(room, change.position)
      length = Math.max(length, change.position + change.bytes.length)
    } else {
      room.fill(0, change.length)
      ;({ length } = change)
    }
  }
  return room.subarray(0, length)
}
