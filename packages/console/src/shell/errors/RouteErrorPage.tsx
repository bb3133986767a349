import { ApiError, codeName, isForbidden, isNotFound } from '@slipway/kube/status'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isRouteErrorResponse, useParams, useRevalidator, useRouteError } from 'react-router'
import { apiErrorText, reportedRequest } from '../../api/messages'
import { queryClient } from '../../api/query-client'
import { userQuery } from '../../api/session/session'
import { onSessionState, sessionState } from '../../api/session/session-state'
import { namespaces } from '../../resources/namespaces'
import { ForbiddenPage } from './ForbiddenPage'
import { HttpErrorPage } from './HttpErrorPage'
import { ChunkLoadError, ChunkLoadErrorPage } from './ChunkLoadErrorPage'
import { NamespaceAccessError, NamespaceErrorPage } from './NamespaceErrorPage'
import { NotFoundPage } from './NotFoundPage'
import { UnknownErrorPage } from './UnknownErrorPage'

/** Replaces a route whose loader or component failed. */
export function RouteErrorPage() {
  const error = useRouteError()
  if (error instanceof NamespaceAccessError) return <NamespaceErrorPage error={error} />
  if (error instanceof ChunkLoadError) return <ChunkLoadErrorPage />
  if (error instanceof ApiError && error.isSessionEnd) return <SignedOut />
  if (error instanceof ApiError) {
    const { code, url } = error
    return <HttpFailure code={code} message={apiErrorText(error)} url={url} request={reportedRequest(error)} />
  }
  if (isRouteErrorResponse(error)) return <HttpFailure code={error.status} message={error.statusText} />
  return <UnknownErrorPage error={error} />
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

interface HttpFailureProps {
  code: number
  message: string
  url?: string
  /** Its id in the gateway's log. */
  request?: string | undefined
}

function HttpFailure({ code, message, url, request }: HttpFailureProps) {
  if (code === 404) return <NotFoundPage url={url} />
  if (code === 403) return <Refused reason={message} />
  // Without a message from the server, the error's message is only the name of the code.
  return <HttpErrorPage status={statusOf(code)} message={message === codeName(code) ? '' : message} request={request} />
}

function Refused({ reason }: { reason: string }) {
  const { namespace } = useParams()
  return namespace === undefined ? (
    <ForbiddenPage reason={reason} />
  ) : (
    <RefusedIn key={namespace} namespace={namespace} reason={reason} />
  )
}

/**
 * A deleted namespace is refused too, since the roles that users have in it were deleted with it. It is read again, as
 * it may have been deleted since.
 */
function RefusedIn({ namespace, reason }: { namespace: string; reason: string }) {
  const { error } = useQuery({ ...namespaces.get(namespace), refetchOnMount: 'always' })
  if (error && isNotFound(error))
    return <NamespaceErrorPage error={new NamespaceAccessError(namespace, undefined, error)} />
  const note = 'The namespace may also not exist: the cluster does not say so to users without access to it.'
  return <ForbiddenPage reason={reason} {...(isForbidden(error) && { note })} />
}

/** No status for a success code, which an invalid response may have. */
function statusOf(code: number): string | undefined {
  if (code === 0) return 'The server cannot be reached.'
  return code < 400 ? undefined : `${code} ${codeName(code)}`
}
