import { Button, type ButtonProps } from '@patternfly/react-core'
import { useId } from 'react'
import { useWriteBlock } from '../api/connectivity'

interface WriteButtonProps extends Omit<ButtonProps, 'ref' | 'component' | 'href'> {
  /** Why it cannot be pressed now; shown beside it. */
  disabledReason?: string
}

/** The button that changes something. While it cannot be pressed the reason is beside it. */
export function WriteButton({ isAriaDisabled, disabledReason, ...props }: WriteButtonProps) {
  const id = useId()
  const reason = useWriteBlock() ?? disabledReason
  return (
    <>
      <Button {...props} isAriaDisabled={isAriaDisabled || Boolean(reason)} aria-describedby={reason && id} />
      <span id={id} role="status" className="slipway-write-button__reason">
        {reason}
      </span>
    </>
  )
}
