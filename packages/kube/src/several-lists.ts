import type { ListOptions } from './client/reads'
import type { KubeList, KubeObject } from './object'
import { apiVersionOf, type ResourceType } from './resource-type'

/**
 * One page of a list that has the objects of several types: all those of the first, then those of the next. The token of
 * its next page says from which type that is. An object that two types have in common is listed twice.
 * @param list returns a page of one type
 */
export async function listSeveral<T extends KubeObject>(
  types: readonly [ResourceType<T>, ...ResourceType<T>[]],
  options: ListOptions,
  list: (type: ResourceType<T>, options: ListOptions) => Promise<KubeList<T>>,
): Promise<KubeList<T>> {
  if (types.length === 1) return list(types[0], options)
  const [, start = '0', token] = /^(\d+):(.*)$/s.exec(options.continue ?? '') ?? []
  const items: T[] = []
  const resourceVersions: Record<string, string | undefined> = {}
  const pageOf = (next?: string): KubeList<T> => ({ metadata: { resourceVersions, continue: next }, items })
  let continued = token
  for (const [at, type] of types.entries()) {
    if (at < Number(start)) continue
    const limit = options.limit && options.limit - items.length
    if (limit === 0) return pageOf(`${at}:`)
    const { metadata, items: found } = await list(type, { ...options, limit, continue: continued })
    items.push(...found)
    resourceVersions[apiVersionOf(type)] = metadata.resourceVersion
    if (metadata.continue) return pageOf(`${at}:${metadata.continue}`)
    continued = undefined
  }
  return pageOf()
}
