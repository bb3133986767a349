import type { KubeList, KubeObject } from '@slipway/kube/object'

/**
 * The new list with the old objects where nothing changed, so that only changed rows are drawn again. Two objects are
 * the same when uid and resourceVersion are: nothing is compared in depth, whatever the number of objects.
 */
export function shareItems<T extends KubeObject>(previous: KubeList<T> | undefined, next: KubeList<T>): KubeList<T> {
  if (!previous || previous === next) return next
  const known = new Map<string, T>()
  let isChanged = previous.items.length !== next.items.length
  const items = next.items.map((item, index) => {
    const before = previous.items[index]
    if (before === item) return item
    if (before && isEqualField(before, item)) return before
    if (known.size === 0) for (const old of previous.items) known.set(old.metadata.uid ?? '', old)
    isChanged = true
    return shareObject(known.get(item.metadata.uid ?? ''), item)
  })
  if (isChanged) return { ...next, items }
  return previous.metadata.resourceVersion === next.metadata.resourceVersion
    ? previous
    : { ...next, items: previous.items }
}

export const shareObject = <T extends Partial<KubeObject>>(previous: T | undefined, next: T): T =>
  previous && isEqualField(previous, next) ? previous : next

/** Never for what is no object of a cluster: TanStack Query shares what a `select` makes of one by the same function. */
function isEqualField(a: Partial<KubeObject>, b: Partial<KubeObject>): boolean {
  const [before, after] = [a.metadata, b.metadata]
  return (
    before?.uid !== undefined &&
    before.uid === after?.uid &&
    before.resourceVersion !== undefined &&
    before.resourceVersion === after.resourceVersion
  )
}
