/** A namespace, one application of it, or one snapshot of that. */
export interface PolicyScope {
  namespace: string
  application?: string | undefined
  snapshot?: string | undefined
}
