import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { createStaticRouter, type StaticHandler, type StaticHandlerContext, StaticRouterProvider } from 'react-router'
import { queryClient } from '../api/query-client'

/** Renders what a page shows now, in Node, where effects do not run and nothing is sent. */
export function markupRenderer(dataRoutes: StaticHandler['dataRoutes'], context: StaticHandlerContext): () => string {
  const router = createStaticRouter(dataRoutes, context)
  return () =>
    renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </QueryClientProvider>,
    ).replace(generatedIds, '')
}

/** PatternFly counts its components, and makes up ids, so that no two renderings are alike. Nothing refers to them. */
const generatedIds = / data-ouia-[\w-]+="[^"]*"| (id|for|aria-labelledby|aria-describedby)="(pf-|_)[^"]*"/g
