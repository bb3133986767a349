import type { ButtonProps } from '@patternfly/react-core'
import type { NamespaceParams } from '../../paths'
import type { Action } from '../action'
import { useBlockedWrites } from '../page/page-actions'
import { ActionButton } from './ActionButton'
import type { DefinedAction } from './defined-action'
import { useAction } from './use-actions'

type Size = Pick<ButtonProps, 'size'>

/** An action of the menu of a page as a button. */
export function ProminentButton({ action, ...size }: Size & { action: Action }) {
  const [{ label, disabledReason, onExplain, onSelect } = action] = useBlockedWrites([action])
  return (
    <ActionButton
      variant="secondary"
      {...size}
      disabledReason={disabledReason}
      onExplain={onExplain}
      onClick={onSelect}
    >
      {/* Text alone would make it an entry of the palette, which has the one of the menu, and asks before it writes. */}
      <span>{label}</span>
    </ActionButton>
  )
}

interface ProminentActionProps<T, At extends NamespaceParams> extends Size {
  action: DefinedAction<T, At>
  at: At
  subject: T
}

/** The same for an action where its need is explained, such as in an alert about a failure. */
export function ProminentAction<T, At extends NamespaceParams>({
  action: defined,
  at,
  subject,
  ...size
}: ProminentActionProps<T, At>) {
  const { action, dialog } = useAction(defined, at, subject)
  return (
    <>
      <ProminentButton {...size} action={action} />
      {dialog}
    </>
  )
}
