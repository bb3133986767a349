/** A namespace, or one application of it. */
export interface PolicyScope {
  namespace: string
  application?: string | undefined
}
