import { Button, type ButtonProps } from '@patternfly/react-core'
import { useId } from 'react'
import { offlineReason, useOfflineSince } from '../api/connectivity'

/** The button that changes something. Without a network it does not, and the reason stands beside it. */
export function WriteButton({ isAriaDisabled, ...props }: Omit<ButtonProps, 'ref' | 'component' | 'href'>) {
  const id = useId()
  const reason = offlineReason(useOfflineSince())
  return (
    <>
      <Button {...props} isAriaDisabled={isAriaDisabled || Boolean(reason)} aria-describedby={reason && id} />
      <span id={id} role="status">
        {reason}
      </span>
    </>
  )
}
