import { ApiError, isNotFound } from '@slipway/kube/status'

/** For what is created under a name that follows from its cause: somebody, perhaps we, made it already. */
export function ignoreExisting(error: unknown): void {
  if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
}

/** For what is deleted: somebody was faster. */
export function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error
}
