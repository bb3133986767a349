import { type LoaderFunction, type Params, useParams } from 'react-router'
import { pattern } from '../../paths'
import { loadNeeds, type Needs } from './needs'

/** A page at a path: what it loads, and the parameters that its components and its loader read. */
export interface Route<P extends object> {
  path: (params: P) => string
  loader: LoaderFunction | undefined
  useParams: () => P
  /** For a loader of its own. @throws Error if the route is at a path without one of the parameters */
  paramsOf: (params: Params) => P
}

/**
 * Declares the page of a path.
 * @param path builds the path from the parameters that the page gets
 * @param needs what the loader of the page requests; the page has no loader, or one of its own, without it
 */
export function route<P extends object>(path: (params: P) => string, needs?: (params: P) => Needs): Route<P> {
  const names = [...pattern(path).matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const paramsOf = (params: Params): P => {
    const entries = names.map((name) => {
      const value = params[name]
      if (value === undefined) throw new Error(`The path of this route has no :${name}`)
      return [name, value]
    })
    // The parameters are those that `path` reads.
    return Object.fromEntries(entries) as P
  }
  return {
    path,
    loader: needs && (({ params }) => loadNeeds(needs(paramsOf(params)))),
    useParams: () => paramsOf(useParams()),
    paramsOf,
  }
}
