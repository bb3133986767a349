import { nameOf } from '@slipway/kube/object'
import { ApiError, isForbidden, isNotFound } from '@slipway/kube/status'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClient } from '../api/query-client'
import { paths } from '../paths'
import { namespaces } from '../resources/namespaces'
import { route } from '../ui/page/route'
import { NamespaceAccessError } from './errors/namespace-access-error'
import { lastUsedNamespace } from '../lib/last-used-namespace'

/**
 * Checks access to a namespace and stores it as the one that the sidebar links to.
 * @throws NamespaceAccessError if it does not exist, or if it cannot be accessed but another one can
 * @throws ApiError with code 403 for a user who has no namespace at all, and for any other failure
 */
export async function namespaceLoader({ params }: LoaderFunctionArgs) {
  const { namespace } = route(paths.namespace).paramsOf(params)
  try {
    await queryClient.ensureQueryData(namespaces.get(namespace))
  } catch (error) {
    if (!(error instanceof ApiError) || !(isForbidden(error) || isNotFound(error))) throw error
    if (lastUsedNamespace.get() === namespace) lastUsedNamespace.clear()
    const alternative = await anotherNamespace(namespace)
    if (!alternative && isForbidden(error)) throw error
    throw new NamespaceAccessError(namespace, alternative, error)
  }
  lastUsedNamespace.set(namespace)
  return null
}

/** The last used namespace if it is still visible, else the first one. */
async function anotherNamespace(than: string): Promise<string | undefined> {
  // A failure to list namespaces is not the error to report; it only means that none can be offered.
  const known = await queryClient.ensureQueryData(namespaces.list()).catch(() => undefined)
  const names = (known?.items ?? []).map(nameOf).filter((name) => name !== than)
  const lastUsed = lastUsedNamespace.get()
  return names.find((name) => name === lastUsed) ?? names[0]
}
