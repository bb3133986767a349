import type { Secret } from '@slipway/kube/core-types'
import type { LinkRequest } from '@slipway/model/secrets/link-request'
import type { LinkState } from '@slipway/model/secrets/secret'
import { createStore, type Store } from '../lib/store'

// Separate from the tasks themselves, since the frame of every screen loads this.

export interface LinkFailure {
  /** Absent if the failure is not about one component. */
  component?: string
  message: string
}

/** A link task of this tab. */
export interface LinkTaskProgress {
  id: number
  secret: Secret
  request: LinkRequest
  state: LinkState
  /** Number of components to link and unlink; `undefined` until they are known. */
  total?: number
  /** How many of them are done, whether they succeeded or failed. */
  done: number
  failures: readonly LinkFailure[]
}

/** The link tasks of this tab until their outcome is dismissed, oldest first. */
export const linkTasks = createStore<readonly LinkTaskProgress[]>([])

export const hasLinkTasks: Store<boolean> = {
  get: () => linkTasks.get().length > 0,
  subscribe: linkTasks.subscribe,
}
