import { asKubeObject, uidOf, type KubeList, type KubeObject } from './object'
import { asRecord, parseJson } from './parse'
import { isStatus, type Status } from './status'

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  | { type: 'BOOKMARK'; object: KubeObject }
  | { type: 'ERROR'; object: Status }

/** An event of a type that a later version of Kubernetes may add. */
export interface UnknownEvent {
  type: string & {}
  object?: unknown
}

const knownTypes: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']

export const isKnownEvent = <T extends KubeObject>(event: WatchEvent<T> | UnknownEvent): event is WatchEvent<T> =>
  knownTypes.includes(event.type)

/** Parses one frame or line of a watch; `undefined` if it is not an event. */
export function parseWatchEvent<T extends KubeObject>(text: string): WatchEvent<T> | UnknownEvent | undefined {
  const event = parseJson(text)
  const { type, object } = asRecord(event)
  if (typeof type !== 'string') return undefined
  // The rest of the shape is up to the server, as in every response.
  if (type === 'ERROR') return isStatus(object) ? { type, object } : undefined
  if (!isKnownEvent<T>({ type })) return event as UnknownEvent
  const sound = asKubeObject<T>(object)
  return sound && ({ type, object: sound } as WatchEvent<T>)
}

/**
 * Applies events to a list, in order. Objects are matched by uid. ADDED updates a known object and MODIFIED adds an
 * unknown one, so that repeated events do no harm. Objects without an event keep their identity, and the given list
 * itself is returned if nothing changed. New objects go to the end.
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
