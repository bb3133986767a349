import type { ButtonProps } from '@patternfly/react-core'
import type { NamespaceParams } from '../../paths'
import { ActionButton } from './ActionButton'
import type { DefinedAction } from './defined-action'
import { useAction } from './use-actions'

type DefinedButtonProps<T, At extends NamespaceParams> = Pick<ButtonProps, 'variant' | 'isInline'> & {
  action: DefinedAction<T, At>
  at: At
} & (unknown extends T ? { subject?: T } : { subject: T })

/**
 * A button, or a link to another page, for an action. The dialog of the action closes when the button disappears: where
 * that can happen, the page renders the dialog (`useAction`).
 */
export function DefinedButton<T, At extends NamespaceParams>({
  action: defined,
  at,
  subject,
  ...props
}: DefinedButtonProps<T, At>) {
  // An action without a subject ignores it.
  const { action, dialog } = useAction(defined, at, subject as T)
  return (
    <>
      <ActionButton
        {...props}
        {...(defined.to ? { to: defined.to(subject as T, at) } : { onClick: action.onSelect })}
        disabledReason={action.disabledReason}
        onExplain={action.onExplain}
      >
        {action.label}
      </ActionButton>
      {dialog}
    </>
  )
}
