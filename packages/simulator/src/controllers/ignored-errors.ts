import { ApiError, isAlreadyExists, isNotFound } from '@slipway/kube/status'

/** For what is created under a name that follows from its cause: somebody, perhaps we, made it already. */
export function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error
}

/** For what is deleted: somebody was faster. */
export function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error
}

/** Source: k8s.io/api, core/v1, NamespaceTerminatingCause. */
const terminatingCause = 'NamespaceTerminating'

/** Nothing can be created any more in a namespace that is being deleted. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof ApiError && (error.status?.details?.causes ?? []).some(({ reason }) => reason === terminatingCause)

/** What a server says to a creation in such a namespace, for those that need not be sent. */
export function namespaceTerminating(namespace: string): ApiError {
  const message = `namespace ${namespace} is being terminated`
  const causes = [{ reason: terminatingCause, message, field: 'metadata.namespace' }]
  return new ApiError({
    code: 403,
    message,
    url: '',
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: 403,
      message,
      details: { causes },
    },
  })
}

/** For what would be deleted with its namespace at once. */
export function ignoreTerminating(error: unknown): void {
  if (!isNamespaceTerminating(error)) throw error
}
