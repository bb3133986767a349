import { type LazyRouteFunction, type LoaderFunction, replace, type RouteObject } from 'react-router'
import { pattern } from './paths'
import { ChunkLoadError } from './shell/errors/ChunkLoadErrorPage'
import { type Route, route } from './ui/page/route'

/** @param from whose parameters the address has */
export function redirect<P extends object>(from: (params: P) => string, to: (params: P) => string) {
  const loader: LoaderFunction = ({ params }) => replace(to(route(from).paramsOf(params)))
  return { loader, element: null }
}

/** A screen at two addresses, such as a first tab, is loaded by one function. */
const loaders = new WeakMap<object, LazyRouteFunction<RouteObject>>()

/** What the module of a screen exports, whose path has at least the parameters that it reads. */
interface Screen<P extends object> extends Pick<RouteObject, 'Component' | 'handle' | 'ErrorBoundary'> {
  page?: Pick<Route<P>, 'path' | 'loader'>
  /** Instead of that of `page`, if it does more than load what the page needs. */
  loader?: LoaderFunction
}

type Load<P extends object> = () => Promise<Screen<P>>

/** The page of a path, loaded on the first visit. */
export function screen<P extends object>(
  path: (params: P) => string,
  load: Load<NoInfer<P>>,
  children?: RouteObject[],
): RouteObject {
  return { path: pattern(path), lazy: loadScreen(load), ...(children && { children }) }
}

/** The page at the path of the route around it. */
export function index<P extends object>(_parent: (params: P) => string, load: Load<NoInfer<P>>): RouteObject {
  return { index: true, lazy: loadScreen(load) }
}

export function loadScreen<P extends object>(load: Load<P>): LazyRouteFunction<RouteObject> {
  const known = loaders.get(load)
  if (known) return known
  const created: LazyRouteFunction<RouteObject> = async () => {
    const {
      Component,
      page,
      loader = page?.loader,
      handle,
      ErrorBoundary,
    } = await load().catch((cause: unknown) => {
      throw new ChunkLoadError('A part of the console could not be loaded.', { cause })
    })
    return { Component, loader, handle, ErrorBoundary }
  }
  loaders.set(load, created)
  return created
}
