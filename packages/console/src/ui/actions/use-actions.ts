import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useDisabledReasons } from '../../api/access/use-access'
import type { NamespaceParams } from '../../paths'
import type { Action } from '../action'
import type { DefinedAction } from './defined-action'
import { missingRight } from './missing-right'

interface ActionOptions<T> {
  /** The page to go to once a dialog has deleted the object of this one. */
  afterDelete?: string
  /** What the subject of an open dialog is by now; as it was when the dialog was opened by default. */
  current?: (subject: T) => T
}

/**
 * Actions as this user may do them here, and the dialog of the one that was selected, which the caller renders.
 * @param at whose namespace they are checked in
 */
export function useActions<T, At extends NamespaceParams>(
  actions: readonly DefinedAction<T, At>[],
  at: At,
  { afterDelete, current = (subject) => subject }: ActionOptions<T> = {},
): { actionsOf: (subject: T) => Action[]; dialog: ReactNode } {
  const navigate = useNavigate()
  const denials = useDisabledReasons(
    actions.map(({ needs }) => needs),
    at.namespace,
  )
  const [opened, setOpened] = useState<{ action: DefinedAction<T, At>; subject: T }>()
  return {
    actionsOf: (subject) =>
      actions.map((action, index) => {
        const { description, disabledReason, isDanger, isWrite, isAddition, isProminent, to, run, needs } = action
        const label = typeof action.label === 'function' ? action.label(subject) : action.label
        const isDenied = needs !== undefined && denials[index] === needs.denial
        return {
          label,
          description: description?.(subject),
          disabledReason: denials[index] || disabledReason?.(subject, at) || false,
          onExplain: isDenied
            ? () => missingRight.set({ action: label, permission: needs, namespace: at.namespace })
            : undefined,
          isDanger,
          isWrite: isWrite ?? run !== undefined,
          isAddition,
          isProminent: isProminent?.(subject) ?? false,
          onSelect() {
            if (to) void navigate(to(subject, at))
            else if (run) run(subject, at)
            else setOpened({ action, subject })
          },
        }
      }),
    dialog: opened?.action.dialog?.(current(opened.subject), {
      at,
      onClose: () => setOpened(undefined),
      onDeleted: afterDelete === undefined ? undefined : () => void navigate(afterDelete),
    }),
  }
}

/** One action as this user may do it here, and its dialog, which the caller renders. */
export function useAction<T, At extends NamespaceParams>(
  defined: DefinedAction<T, At>,
  at: At,
  subject: T,
): { action: Action; dialog: ReactNode } {
  const { actionsOf, dialog } = useActions([defined], at, { current: () => subject })
  const [action] = actionsOf(subject)
  if (!action) throw new Error('An action has no entry')
  return { action, dialog }
}
