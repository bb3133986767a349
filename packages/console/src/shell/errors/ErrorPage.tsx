import { ApiError, codeName, isForbidden, isNotFound } from '@slipway/kube/status'
import { useQuery } from '@tanstack/react-query'
import { isRouteErrorResponse, useParams } from 'react-router'
import { apiErrorText, reportedRequest } from '../../api/messages'
import { namespaces } from '../../resources/namespaces'
import { ForbiddenPage } from './ForbiddenPage'
import { HttpErrorPage } from './HttpErrorPage'
import { NamespaceAccessError } from './namespace-access-error'
import { NamespaceErrorPage } from './NamespaceErrorPage'
import { NotFoundPage } from './NotFoundPage'
import { UnknownErrorPage } from './UnknownErrorPage'

/** Says what has failed. Pages of most visits show none, so it is loaded after their content. */
export function ErrorPage({ error }: { error: unknown }) {
  if (error instanceof NamespaceAccessError) return <NamespaceErrorPage error={error} />
  if (error instanceof ApiError) {
    const { code, url } = error
    return <HttpFailure code={code} message={apiErrorText(error)} url={url} request={reportedRequest(error)} />
  }
  if (isRouteErrorResponse(error)) return <HttpFailure code={error.status} message={error.statusText} />
  return <UnknownErrorPage error={error} />
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
