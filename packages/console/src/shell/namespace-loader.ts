import { nameOf } from '@slipway/kube/object'
import { ApiError, isForbidden, isNotFound } from '@slipway/kube/status'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClient } from '../api/query-client'
import { namespaces } from '../resources/namespaces'
import { paramsOf } from '../ui/page/route-params'
import { NamespaceAccessError } from './errors/NamespaceErrorPage'
import { lastUsedNamespace } from './last-used-namespace'

/**
 * Enters a namespace: it becomes the one that the sidebar leads to.
 * @throws NamespaceAccessError when it cannot be entered, but another one can, or when it does not exist
 * @throws ApiError with code 403 for somebody who has no namespace at all, and for any other failure
 */
export async function namespaceLoader({ params }: LoaderFunctionArgs) {
  const { namespace } = paramsOf(params, 'namespace')
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

/** The one used last when it can still be seen, else the first. */
async function anotherNamespace(than: string): Promise<string | undefined> {
  // A list that cannot be read offers no way out, and is not what went wrong.
  const known = await queryClient.ensureQueryData(namespaces.list()).catch(() => undefined)
  const names = (known?.items ?? []).map(nameOf).filter((name) => name !== than)
  const lastUsed = lastUsedNamespace.get()
  return names.find((name) => name === lastUsed) ?? names[0]
}
