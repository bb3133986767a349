import type { ResourceType } from '@slipway/kube/resource-type'

/**
 * `unknown` and `pending` are treated like `denied`, and reported as what they are: the cluster could not say, or is being
 * asked for the first time and has had little time so far.
 */
export type Verdict = 'allowed' | 'denied' | 'unknown' | 'pending'

/** What one user may list and watch. */
export interface Rights {
  /** What is known at this moment: it never waits. Asking may cause a review, whose result `onChange` announces. */
  mayRead(type: ResourceType, namespace: string): Verdict
  /** Calls the listener after any verdict has changed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void
}
