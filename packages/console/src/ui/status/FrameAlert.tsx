import CloseIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-close-icon'
import type { ReactNode } from 'react'
import { FrameButton } from '../actions/FrameButton'
import { statusIcons } from './status-icons'
import '@patternfly/react-styles/css/components/Alert/alert.css'

const labels = { danger: 'Danger alert:', warning: 'Warning alert:' }

interface FrameAlertProps {
  variant: keyof typeof labels
  title: string
  /** What the user can do about it. */
  action?: ReactNode
  /** Adds a button that closes it. */
  onClose?: () => void
  className?: string
  children: ReactNode
}

/**
 * An alert of the frame itself, announced when it appears. Its elements are those of PatternFly's `Alert`, whose own
 * component would bring tooltips and what positions them into the first load (9 KiB).
 */
export function FrameAlert({ variant, title, action, onClose, className = '', children }: FrameAlertProps) {
  const label = labels[variant]
  const Icon = statusIcons[variant]
  return (
    <div className={`pf-v6-c-alert pf-m-${variant} ${className}`} aria-live="polite" aria-atomic="false">
      <div className="pf-v6-c-alert__icon">
        <Icon />
      </div>
      <p className="pf-v6-c-alert__title">
        <span className="pf-v6-screen-reader">{label}</span>
        {title}
      </p>
      {onClose && (
        <div className="pf-v6-c-alert__action">
          <FrameButton
            variant="plain"
            aria-label={`Close ${label.replace(':', '')}: ${title}`}
            icon={<CloseIcon />}
            onClick={onClose}
          />
        </div>
      )}
      <div className="pf-v6-c-alert__description">{children}</div>
      {action && <div className="pf-v6-c-alert__action-group">{action}</div>}
    </div>
  )
}
