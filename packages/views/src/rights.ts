import type { ResourceType } from '@slipway/kube/resource-type'

/** `unknown` is treated like `denied`, and reported as what it is: the cluster has not said, or could not say. */
export type Verdict = 'allowed' | 'denied' | 'unknown'

/** What one user may list and watch. */
export interface Rights {
  /** What is known at this moment: it never waits. Asking may cause a review, whose result `onChange` announces. */
  mayRead(type: ResourceType, namespace: string): Verdict
  /** Calls the listener after any verdict has changed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void
}
