import { Button, type ButtonProps, Tooltip } from '@patternfly/react-core'
import { useRef } from 'react'
import { ButtonLink } from './ButtonLink'
import { useOverlayContainer } from '../page/overlay-container'
import { useRegisterActions } from '../page/page-actions'

interface ActionButtonProps extends Omit<ButtonProps, 'ref' | 'component' | 'href' | 'isDisabled' | 'isAriaDisabled'> {
  /** Why this cannot be done now; `false` or absent when it can. Shown as a tooltip, on keyboard focus too. */
  disabledReason?: string | false
  /** Called when the disabled button is pressed. */
  onExplain?: (() => void) | undefined
  /** Makes the button a link to another page of the console. */
  to?: string
}

export function ActionButton({ disabledReason, onExplain, to, ...props }: ActionButtonProps) {
  const element = useRef<HTMLButtonElement>(null)
  const overlayContainer = useOverlayContainer()
  const { children: label } = props
  useRegisterActions(
    typeof label === 'string' ? [{ label, disabledReason, onSelect: () => element.current?.click() }] : [],
  )
  if (disabledReason) {
    return (
      <Tooltip content={disabledReason} position="top-start" appendTo={overlayContainer}>
        {/* PatternFly replaces `onClick` of a disabled button. */}
        <Button {...props} isAriaDisabled aria-haspopup={onExplain && 'dialog'} onClickCapture={onExplain} />
      </Tooltip>
    )
  }
  return to ? <ButtonLink {...props} to={to} ref={element} /> : <Button {...props} ref={element} />
}
