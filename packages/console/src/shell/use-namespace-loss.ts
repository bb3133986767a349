import { ApiError, isForbidden, isNotFound } from '@slipway/kube/status'
import { useEffect } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import { onAccessChange } from '../api/access/access'
import { queryClient } from '../api/query-client'
import { namespaceInPath } from '../paths'
import { namespaces } from '../resources/namespaces'

/** How long a namespace counts as read when a call is refused, which may happen again and again for another reason. */
const rereadMs = 60_000

/**
 * Loads the page again once its namespace has been deleted, or the user has no more access to it: the loader of the
 * namespace then says so. The namespace is read only when the user's access changes, which is what happens first: the
 * role bindings are deleted with it.
 */
export function useNamespaceLoss(): void {
  const { revalidate } = useRevalidator()
  const namespace = namespaceInPath(useLocation().pathname)
  useEffect(() => {
    if (!namespace) return undefined
    const query = namespaces.get(namespace)
    return onAccessChange((changed, by) => {
      // One that could not be read cannot be lost, and reading it again would be refused again.
      if (changed !== namespace || queryClient.getQueryData(query.queryKey) === undefined) return
      queryClient.fetchQuery({ ...query, staleTime: by === 'rules' ? 0 : rereadMs }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || !(isForbidden(error) || isNotFound(error))) return
        queryClient.removeQueries({ queryKey: query.queryKey, exact: true })
        void revalidate()
      })
    })
  }, [namespace, revalidate])
}
