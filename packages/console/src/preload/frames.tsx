import { createStaticHandler, type RouteObject, type StaticHandlerContext } from 'react-router'
import { configureApi } from '../api/client'
import { queryClient } from '../api/query-client'
import { routes } from '../routes'
import { AppLayout } from '../shell/AppLayout'
import { pagePathsOf, patternOf, pathWithPlaceholders } from './page-patterns'
import { markupRenderer } from './static-markup'

/** What a page shows before anything is known about the user and the cluster. */
export interface Frame {
  path: string
  /** The pattern of its path as a regular expression. Of several that match a path, the first counts. */
  pattern: string
  /** The parameters of the path are written as `__name__`. */
  html: string
  /** Whether it has the layout of the page, not only what surrounds every page. */
  isWhole: boolean
}

/** Renders the frame of every page, so only the build and tests call it. */
export async function renderFrames(all: RouteObject[] = routes): Promise<Frame[]> {
  // Nothing is known yet.
  configureApi({ baseUrl: '', fetch: () => new Promise(() => undefined) })
  const pages = await withoutLoaders(all)
  const frames: Frame[] = []
  for (const path of pagePathsOf(all)) {
    const at = pathWithPlaceholders(path)
    // A page that cannot be rendered without its data, or that changes the names of its path, has what surrounds every
    // page. So has one at any other path: only the router knows what is there.
    const whole = path.endsWith('*') ? undefined : await render(pages, at).catch(() => undefined)
    const isWhole = whole !== undefined && !/(?<!\w)__/.test(whole.replaceAll(/__[a-z]+?__/gi, ''))
    const html = isWhole ? whole : await render([{ path, Component: AppLayout }], at)
    frames.push({ path, pattern: patternOf(path), html, isWhole })
  }
  return frames
}

/** The routes with their modules loaded, without what asks for data or redirects. */
const withoutLoaders = (all: RouteObject[]): Promise<RouteObject[]> =>
  Promise.all(
    all.map(async ({ path, index, lazy, Component, element, children }): Promise<RouteObject> => {
      const loaded = typeof lazy === 'function' ? await lazy() : {}
      const content = { path, Component: loaded.Component ?? Component, element }
      return index ? { ...content, index } : { ...content, children: children && (await withoutLoaders(children)) }
    }),
  )

async function render(all: RouteObject[], path: string): Promise<string> {
  queryClient.clear()
  const { query, dataRoutes } = createStaticHandler(all)
  // Nothing redirects without loaders.
  const context = (await query(new Request(new URL(path, 'http://console')))) as StaticHandlerContext
  const deepest = context.matches.at(-1)?.route
  if (!deepest?.element) throw new Error(`Nothing is shown at ${path}.`)
  const renderOnce = markupRenderer(dataRoutes, context)
  // Components that are loaded on demand are there once an earlier attempt has asked for them.
  let html = renderOnce()
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, loadMs))
    const next = renderOnce()
    if (next === html) return html
    html = next
  }
  throw new Error(`The page at ${path} is never rendered alike twice.`)
}

const mostAttempts = 10

/** Time for modules of the bundle, which are in memory. */
const loadMs = 10
