import { Modal, ModalBody, ModalFooter, ModalHeader, type ModalProps } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import { useRestoreFocus } from '../page/focus-heading'
import './Dialog.css'

interface DialogProps extends Pick<ModalProps, 'variant' | 'position'> {
  title: string
  description?: string
  isWarning?: boolean
  /** Buttons. */
  footer?: ReactNode
  /** Selects the element with the focus when the dialog opens; the first one that can have it by default. */
  focus?: string
  onClose: () => void
  children: ReactNode
}

/** Every dialog: named by its title and closed by Escape or its button. */
export function Dialog({
  title,
  description,
  isWarning,
  footer,
  focus,
  variant = 'small',
  children,
  ...modal
}: DialogProps) {
  const id = useId()
  useRestoreFocus()
  return (
    <Modal
      isOpen
      variant={variant}
      aria-labelledby={`${id}-title`}
      // A large dialog has too much content to be read out.
      aria-describedby={description ? `${id}-description` : variant === 'small' ? `${id}-body` : undefined}
      elementToFocus={focus}
      {...modal}
    >
      <ModalHeader
        title={title}
        titleIconVariant={isWarning ? 'warning' : undefined}
        labelId={`${id}-title`}
        description={description}
        descriptorId={`${id}-description`}
      />
      <ModalBody id={`${id}-body`}>{children}</ModalBody>
      {footer && <ModalFooter>{footer}</ModalFooter>}
    </Modal>
  )
}
