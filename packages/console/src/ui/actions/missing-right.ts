import type { Permission } from '../../api/access/permission'
import { createStore } from '../../lib/store'

/** What the user wants to do, and lacks a right for. */
export interface MissingRight {
  /** As its button says. */
  action: string
  permission: Permission
  namespace: string
}

/** What a dialog of the shell explains; `undefined` while it is closed. */
export const missingRight = createStore<MissingRight | undefined>(undefined)
