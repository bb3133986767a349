import type { ReactNode } from 'react'
import type { AccessCheck } from '../../api/access/access-review'
import type { Permission } from '../../api/access/permission'
import type { NamespaceParams } from '../../paths'
import type { Action } from '../action'

export interface DialogHandlers<At> {
  at: At
  onClose: () => void
  /** Leaves the page of an object that the dialog has deleted. */
  onDeleted?: () => void
}

/** Exactly one of them says what happens. */
type Effect<T, At> =
  /** Goes to another page of the console. */
  | { to: (subject: T, at: At) => string; run?: never; dialog?: never }
  /** Writes immediately; `ActionToasts` reports the outcome. */
  | { run: (subject: T, at: At) => void; to?: never; dialog?: never }
  /** Opens a dialog, which should be loaded on demand. */
  | { dialog: (subject: T, handlers: DialogHandlers<At>) => ReactNode; to?: never; run?: never }

/**
 * Something that users can do, stated once, with the permission it needs: `actionChecks` are the checks of a loader,
 * `useActions` the entries of a menu, and `DefinedButton` is a button.
 * @template T what it is done with, such as a component; `unknown` if it needs only the parameters of the page
 * @template At the parameters of the page, and anything else that it depends on
 */
export type DefinedAction<T = unknown, At extends NamespaceParams = NamespaceParams> = Omit<
  Action,
  'label' | 'description' | 'disabledReason' | 'isProminent' | 'onSelect'
> & {
  label: string | ((subject: T) => string)
  description?: (subject: T) => string | undefined
  /** Every user may do it without one. */
  needs?: Permission
  /** Why no user can do it now; nothing if they can. */
  disabledReason?: (subject: T, at: At) => string | false | undefined
  /** Whether it is what users are likely to want now. */
  isProminent?: (subject: T) => boolean
} & Effect<T, At>

/** What a loader has to check so that these actions are rendered in their final state. */
export const actionChecks = (namespace: string, ...actions: readonly { needs?: Permission }[]): AccessCheck[] =>
  actions.flatMap(({ needs }) => needs?.checks(namespace) ?? [])
