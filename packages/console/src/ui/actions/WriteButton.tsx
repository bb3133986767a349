import { Button, type ButtonProps } from '@patternfly/react-core'
import { useId } from 'react'
import { useWriteBlock } from '../../api/live/connectivity'

/** A button that changes something. While nothing can be changed, it is disabled, with the reason next to it. */
export function WriteButton({ isAriaDisabled, ...props }: Omit<ButtonProps, 'ref' | 'component' | 'href'>) {
  const id = useId()
  const reason = useWriteBlock()
  return (
    <>
      <Button
        {...props}
        isAriaDisabled={isAriaDisabled || Boolean(reason)}
        aria-describedby={reason ? id : props['aria-describedby']}
      />
      <span id={id} role="status">
        {reason}
      </span>
    </>
  )
}
