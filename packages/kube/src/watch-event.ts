import { uidOf, type KubeList, type KubeObject } from './object'
import type { Status } from './status'

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  | { type: 'BOOKMARK'; object: KubeObject }
  | { type: 'ERROR'; object: Status }

/**
 * The list after some events, in order. Objects are matched by uid; ADDED of a known object is an update, MODIFIED of
 * an unknown one adds it, so that a repeated event does no harm. Objects that no event named keep their identity, and
 * the given list is returned itself when nothing changed. A new object goes to the end.
 */
export function applyWatchEvents<T extends KubeObject>(
  list: KubeList<T>,
  events: readonly WatchEvent<T>[],
): KubeList<T> {
  if (events.length === 0) return list
  let resourceVersion = list.metadata.resourceVersion
  const changed = new Map<string, T | undefined>()
  for (const event of events) {
    if (event.type === 'ERROR') continue
    resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion
    if (event.type === 'BOOKMARK') continue
    changed.set(uidOf(event.object), event.type === 'DELETED' ? undefined : event.object)
  }
  const metadata =
    resourceVersion === list.metadata.resourceVersion ? list.metadata : { ...list.metadata, resourceVersion }
  if (changed.size === 0) return metadata === list.metadata ? list : { ...list, metadata }
  const items: T[] = []
  for (const item of list.items) {
    const uid = uidOf(item)
    if (!changed.has(uid)) {
      items.push(item)
      continue
    }
    const next = changed.get(uid)
    if (next) items.push(next)
    changed.delete(uid)
  }
  for (const added of changed.values()) if (added) items.push(added)
  return { ...list, metadata, items }
}
