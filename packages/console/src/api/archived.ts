/** Which of the objects that have been read came from an archive: the cluster has them no more. */
const archived = new WeakSet<object>()

export function markArchived<T extends object>(object: T): T {
  archived.add(object)
  return object
}

export const isArchived = (object: object): boolean => archived.has(object)
