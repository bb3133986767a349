import '@patternfly/react-styles/css/components/Backdrop/backdrop.css'
import { Bullseye, Button, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core'
import CloseIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-close-icon'
import { type ReactNode, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { OverlayContainer } from '../page/overlay-container'
import { useLayer } from './layers'
import './Dialog.css'

interface DialogProps {
  title: string
  description?: string
  isWarning?: boolean
  variant?: keyof typeof widths
  /** In the middle of the page by default. */
  position?: 'top'
  /** Buttons. */
  footer?: ReactNode
  /** Selects the element with the focus when the dialog opens; the button that closes it by default. */
  focus?: string
  onClose: () => void
  children: ReactNode
}

const widths = { small: 'pf-m-sm', medium: 'pf-m-md', large: 'pf-m-lg' }

/**
 * Every dialog: named by its title and closed by Escape or its button. Its elements are those of PatternFly's `Modal`,
 * whose own component would hide any dialog above it from screen readers at every update (ADR 48).
 */
export function Dialog({
  title,
  description,
  isWarning,
  variant = 'small',
  position,
  footer,
  focus,
  onClose,
  children,
}: DialogProps) {
  const id = useId()
  const layer = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useLayer(layer, { focus: () => box.current && focusIn(box.current, focus), onEscape: onClose })
  return createPortal(
    <div ref={layer} className="pf-v6-c-backdrop">
      <Bullseye>
        <div
          ref={box}
          role="dialog"
          aria-labelledby={`${id}-title`}
          // A large dialog has too much content to be read out.
          aria-describedby={description ? `${id}-description` : variant === 'small' ? `${id}-body` : undefined}
          className={`pf-v6-c-modal-box ${widths[variant]}${position ? ' pf-m-align-top' : ''}`}
        >
          <OverlayContainer value={() => box.current ?? document.body}>
            <div className="pf-v6-c-modal-box__close">
              <Button variant="plain" aria-label="Close" icon={<CloseIcon />} onClick={onClose} />
            </div>
            <ModalHeader
              title={title}
              titleIconVariant={isWarning ? 'warning' : undefined}
              labelId={`${id}-title`}
              description={description}
              descriptorId={`${id}-description`}
            />
            <ModalBody id={`${id}-body`}>{children}</ModalBody>
            {footer && <ModalFooter>{footer}</ModalFooter>}
          </OverlayContainer>
        </div>
      </Bullseye>
    </div>,
    document.body,
  )
}

function focusIn(box: HTMLElement, selector = 'button'): void {
  const selected = box.querySelector<HTMLElement>(selector)
  selected?.focus()
  if (selected instanceof HTMLInputElement) selected.select()
  // It may be disabled while its options are loaded.
  if (!box.contains(document.activeElement)) box.querySelector('button')?.focus()
}
