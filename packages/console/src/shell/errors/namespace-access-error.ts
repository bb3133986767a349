import { isNotFound } from '@slipway/kube/status'

/** A namespace that does not exist or that the user may not access; the message is the cluster's. */
export class NamespaceAccessError extends Error {
  override name = 'NamespaceAccessError'
  readonly namespace: string
  /** Another namespace that the user can access, if any. */
  readonly alternative: string | undefined
  /** Whether the cluster says that it does not exist; to users who may not read it, the cluster does not say which. */
  readonly isMissing: boolean

  constructor(namespace: string, alternative: string | undefined, cause: Error) {
    super(cause.message, { cause })
    this.namespace = namespace
    this.alternative = alternative
    this.isMissing = isNotFound(cause)
  }
}
