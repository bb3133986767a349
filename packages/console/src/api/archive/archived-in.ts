import type { ArchiveName } from './request'

/** The archive of each object that was read from one. Not in `origin.ts`, which is a part of what loads first. */
const archives = new WeakMap<object, ArchiveName>()

/** Remembers which archive an object was read from. Returns the object. */
export function noteArchive<T extends object>(object: T, archive: ArchiveName): T {
  archives.set(object, archive)
  return object
}

/** The archive that an object was read from; `undefined` for an object of the cluster. */
export const archiveNameOf = (object: object): ArchiveName | undefined => archives.get(object)
