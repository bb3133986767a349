import { ApiError, failureStatus } from '@slipway/kube/status'

/** Source: k8s.io/api, core/v1, NamespaceTerminatingCause. */
const terminatingCause = 'NamespaceTerminating'

/** Whether a creation failed because its namespace is being deleted. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof ApiError && (error.status?.details?.causes ?? []).some(({ reason }) => reason === terminatingCause)

/** The error that a server returns for a creation in such a namespace. */
export function namespaceTerminating(namespace: string): ApiError {
  const message = `namespace ${namespace} is being terminated`
  const causes = [{ reason: terminatingCause, message, field: 'metadata.namespace' }]
  return new ApiError({
    code: 403,
    message,
    url: '',
    status: failureStatus(403, 'Forbidden', message, { causes }),
  })
}

/** For objects that would be deleted with their namespace anyway. */
export function ignoreTerminating(error: unknown): void {
  if (!isNamespaceTerminating(error)) throw error
}
