import type { PatchRoutesOnNavigationFunction, RouteObject } from 'react-router'
import { namespaceId } from './frame-routes'
import { ChunkLoadError } from './shell/errors/ChunkLoadErrorPage'

/**
 * Adds the screens of a namespace when the first of them is opened: their names, paths and files weigh more than any
 * other part of the console in the first load.
 */
export const discoverRoutes: PatchRoutesOnNavigationFunction = async ({ matches, patch }) => {
  const route = matches.at(-1)?.route
  if (route?.id === namespaceId && !route.children) patch(namespaceId, await loadNamespaceRoutes())
}

/** @throws ChunkLoadError */
export async function loadNamespaceRoutes(): Promise<RouteObject[]> {
  try {
    return (await import('./routes')).namespaceRoutes
  } catch (cause) {
    throw new ChunkLoadError('The screens of the namespace could not be loaded.', { cause })
  }
}
