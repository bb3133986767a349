import type { RouteObject } from 'react-router'
import { activityTabs } from '../parts/activity/activity-tabs'

/** The paths of all routes. A route with children is not a page itself: it has an index route. */
export const pathsOf = (all: RouteObject[], parent = ''): string[] =>
  all.flatMap(({ path = parent, children }) => (children ? pathsOf(children, path) : [path]))

/** The paths of all pages: each activity has lists of its own, at one route. */
export const pagePathsOf = (all: RouteObject[]): string[] =>
  pathsOf(all).flatMap((path) =>
    path.includes(activityTab) ? activityTabs.map(({ id }) => path.replace(activityTab, id)) : [path],
  )

const activityTab = ':activityTab'

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
