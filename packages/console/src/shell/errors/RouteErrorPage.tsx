import { ApiError } from '@slipway/kube/status'
import { useEffect } from 'react'
import { useRevalidator, useRouteError } from 'react-router'
import { queryClient } from '../../api/query-client'
import { userQuery } from '../../api/session/session'
import { onSessionState, sessionState } from '../../api/session/session-state'
import { lazyComponent } from '../../ui/page/lazy-component'
import { ChunkLoadError, ChunkLoadErrorPage } from './ChunkLoadErrorPage'

const ErrorPage = lazyComponent(() => import('./ErrorPage'), 'ErrorPage', { Missing: ChunkLoadErrorPage })

/** Once the page is there: an error may be that nothing can be loaded any more. */
export const fetchErrorPage = ErrorPage.fetchAhead

/** Replaces a route whose loader or component failed. */
export function RouteErrorPage() {
  const error = useRouteError()
  if (error instanceof ChunkLoadError) return <ChunkLoadErrorPage />
  if (error instanceof ApiError && error.isSessionEnd) return <SignedOut />
  return <ErrorPage error={error} />
}

/** How soon a route is loaded again whose calls are refused although the session is active. */
const retryMs = 1_000

/** Shown while the sign-in page or dialog opens. The route is loaded again once the session is active. */
function SignedOut() {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (state === 'loading') return
    const retry = () => {
      if (sessionState() === 'active' && queryClient.getQueryData(userQuery.queryKey)) void revalidate()
    }
    // Calls from before the user signed in may still be refused, and the route may have waited for one of them.
    const timer = setTimeout(retry, retryMs)
    const stop = onSessionState(retry)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [revalidate, state])
  return null
}
