import { useQuery } from '@tanstack/react-query'
import { viewsServiceQuery } from '../../api/views/service-probe'
import { useStore } from '../../lib/store'
import { contextMemory } from '../../ui/page/context-memory'
import { pinnedNamespaces } from './pinned-namespaces'

/** Most namespaces that the browser reads by itself: each costs several lists and watches. */
const mostWithoutService = 5

export interface ObservedNamespaces {
  /** Those that are read; `undefined` until it is known who reads them. */
  read: readonly string[] | undefined
  /** How many others there are, whose health is not looked at. */
  others: number
}

/**
 * The namespaces whose health is looked at: all of them where a service reads them for all users; else those that the
 * user has pinned or opened lately, since each of them costs the cluster lists and watches of this very tab.
 * @param all the user's namespaces, by name
 */
export function useObservedNamespaces(all: readonly string[]): ObservedNamespaces {
  const service = useQuery(viewsServiceQuery)
  const nearest = useNearestFirst(all)
  if (service.isPending) return { read: undefined, others: 0 }
  if (service.data || all.length <= mostWithoutService) return { read: all, others: 0 }
  const read = nearest.slice(0, mostWithoutService).sort()
  return { read, others: all.length - read.length }
}

/** The same namespaces: those that the user has pinned come first, then those that were opened lately. */
export function useNearestFirst(all: readonly string[]): readonly string[] {
  const pinned = useStore(pinnedNamespaces)
  const recent = useStore(contextMemory).recentItems.namespace ?? []
  const known = new Set(all)
  return [...new Set([...pinned, ...recent, ...all])].filter((each) => known.has(each))
}
