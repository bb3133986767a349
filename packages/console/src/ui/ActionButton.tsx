import { Button, type ButtonProps, Tooltip } from '@patternfly/react-core'
import { ButtonLink } from './ButtonLink'
import { insideMain } from './floating'

interface ActionButtonProps extends Omit<ButtonProps, 'ref' | 'component' | 'href' | 'isDisabled' | 'isAriaDisabled'> {
  /** Why this cannot be done now; `false` or absent when it can. Shown as a tooltip, also to the keyboard. */
  disabledReason?: string | false
  /** Makes the button a link to another page of ours. */
  to?: string
}

export function ActionButton({ disabledReason, to, ...props }: ActionButtonProps) {
  if (disabledReason) {
    return (
      <Tooltip content={disabledReason} position="top-start" appendTo={insideMain}>
        <Button {...props} isAriaDisabled />
      </Tooltip>
    )
  }
  return to ? <ButtonLink {...props} to={to} /> : <Button {...props} />
}
