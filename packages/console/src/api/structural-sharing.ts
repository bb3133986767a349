import type { KubeList, KubeObject } from '@slipway/kube/object'

/**
 * Returns the new list with the previous objects wherever nothing changed, so that only changed rows re-render. Objects
 * are equal when uid and resourceVersion are: there is no deep comparison, however many objects there are. TanStack
 * Query passes results of `select` through the same function, which returns them as they are.
 */
export function shareItems<T extends KubeObject>(previous: KubeList<T> | undefined, next: KubeList<T>): KubeList<T> {
  if (!previous || previous === next || !isList(previous) || !isList(next)) return next
  const known = new Map<string, T>()
  let isChanged = previous.items.length !== next.items.length
  const items = next.items.map((item, index) => {
    const before = previous.items[index]
    if (before === item) return item
    if (before && isSameVersion(before, item)) return before
    if (known.size === 0) for (const old of previous.items) known.set(old.metadata.uid ?? '', old)
    isChanged = true
    return shareObject(known.get(item.metadata.uid ?? ''), item)
  })
  if (isChanged) return { ...next, items }
  return previous.metadata.resourceVersion === next.metadata.resourceVersion
    ? previous
    : { ...next, items: previous.items }
}

/** The types say so of everything that a query returns, but not of what it selects. */
const isList = (data: { items: unknown }): boolean => Array.isArray(data.items)

export const shareObject = <T extends Partial<KubeObject>>(previous: T | undefined, next: T): T =>
  previous && isSameVersion(previous, next) ? previous : next

/** False without a uid and a resourceVersion: TanStack Query passes results of `select` through the same function. */
function isSameVersion(a: Partial<KubeObject>, b: Partial<KubeObject>): boolean {
  const [before, after] = [a.metadata, b.metadata]
  return (
    before?.uid !== undefined &&
    before.uid === after?.uid &&
    before.resourceVersion !== undefined &&
    before.resourceVersion === after.resourceVersion
  )
}
