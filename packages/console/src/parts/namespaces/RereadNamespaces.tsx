import { useQuery } from '@tanstack/react-query'
import { isIdle } from '../../api/live/idle'
import { namespaces } from '../../resources/namespaces'

/** About as long as the gateway caches its response. */
const settledMs = 5_000
const rereadMs = 20_000
const rereadWhenIdleMs = 60_000

/**
 * To be rendered while a namespace that the user looks for is not in the list, which no watch keeps up to date: it is
 * read again, at once unless it has just been read, and then at intervals.
 */
export function RereadNamespaces() {
  useQuery({
    ...namespaces.list(),
    staleTime: settledMs,
    refetchInterval: () => (isIdle() ? rereadWhenIdleMs : rereadMs),
    refetchOnWindowFocus: 'always',
  })
  return null
}
