import type { RouteObject } from 'react-router'

/** The paths of all pages. A route with children is not a page itself: it has an index route. */
export const pathsOf = (all: RouteObject[], parent = ''): string[] =>
  all.flatMap(({ path = parent, children }) => (children ? pathsOf(children, path) : [path]))

/**
 * A parameter matches the usual characters of names, which are written alike in paths, queries, bodies and HTML. A path
 * with any other name matches no page, and nothing is prepared for it but what every page needs.
 */
export const patternOf = (path: string): string =>
  `^${path
    .replace(/:(\w+)/g, '(?<$1>[a-z0-9.-]+)')
    .replace(/\/?\*$/, '/.*')
    .replace(/\/$/, '')}/?$`

/** The path with `__name__` in place of each parameter. */
export const pathWithPlaceholders = (path: string): string => path.replace(/:(\w+)/g, '__$1__')
