import type { RouteObject } from 'react-router'
import { onTestFinished } from 'vitest'
import { paths, pattern } from '../src/paths'

declare module 'vitest' {
  interface TaskMeta {
    /** Names in `paths` of the screens that a test opened, for our reporter. */
    openedScreens?: string[]
  }
}

/**
 * Routes that report which screens the current test opens. `npm test` records them in `opened-screens.json`, which tells
 * `npm run test:changed` what tests a changed screen concerns.
 */
export function reportOpenedScreens(routes: RouteObject[]): RouteObject[] {
  const opened = new Set<string>()
  onTestFinished(({ task }) => {
    task.meta.openedScreens = [...new Set([...(task.meta.openedScreens ?? []), ...opened])]
  })
  return watch(routes, '', (name) => opened.add(name))
}

/** @param parentPath path of the nearest route above that has one */
function watch(routes: RouteObject[], parentPath: string, onOpen: (name: string) => void): RouteObject[] {
  return routes.map((route) => {
    const path = route.path ?? parentPath
    const { lazy, children } = route
    const watched = children ? { ...route, children: watch(children, path, onOpen) } : route
    if (typeof lazy !== 'function') return watched
    const open = () => {
      onOpen(nameOf(path))
      return lazy()
    }
    return { ...watched, lazy: open }
  })
}

/** The names of patterns in `paths`; those that only add a query come later than the path itself. */
const names = new Map(
  Object.entries(paths)
    // Builders without parameters ignore the one that they are given.
    .map(([name, build]) => [pattern(build as (params: object) => string).replace(/\?.*/, ''), name] as const)
    .reverse(),
)

function nameOf(path: string): string {
  const name = names.get(path.replace(/\/\*$/, ''))
  if (!name) throw new Error(`There is no path for the route ${path}.`)
  return name
}
