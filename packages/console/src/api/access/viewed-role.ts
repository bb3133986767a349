import type { PolicyRule } from '@slipway/kube/core-types'
import { asRecord } from '@slipway/kube/parse'
import { stored } from '../../lib/stored'

/** A role with whose rights the console is shown in this tab (ADR 83). */
export interface ViewedRole {
  /** Such as `Contributor`. */
  name: string
  rules: readonly PolicyRule[]
  /** Whether the user has all rights of the role. */
  isExact: boolean
  /** Of the user who views the console as the role. */
  email: string
}

/** The role that applies from the next load of the page on. Without rules, nothing that this version can apply is stored. */
export const viewedRole = stored<Partial<ViewedRole>>('viewed-role', asRecord, { storage: 'session' })
