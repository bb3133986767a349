import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { ControllerContext } from './controller'
import type { Informer } from './informer'

/** An index that is built once per informer and shared by all reconciles. */
export function cachedIndex<T extends KubeObject>(type: ResourceType<T>, keyOf: (object: T) => string | undefined) {
  const indexes = new WeakMap<Informer<T>, (key: string) => T[]>()
  return ({ informer }: Pick<ControllerContext, 'informer'>, key: string): T[] => {
    const source = informer(type)
    const known = indexes.get(source) ?? source.index(keyOf)
    indexes.set(source, known)
    return known(key)
  }
}
