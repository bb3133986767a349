import '@patternfly/react-styles/css/components/Button/button.css'
import type { ComponentProps, ReactNode } from 'react'

interface FrameButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'tertiary' | 'link' | 'plain'
  icon?: ReactNode
}

/**
 * A button of the frame itself. Its elements are those of PatternFly's `Button`, whose own component would bring a
 * spinner, a badge and icons into the first load (3 KiB).
 */
export const FrameButton = ({ variant = 'primary', icon, className = '', children, ...props }: FrameButtonProps) => (
  <button type="button" {...props} className={`pf-v6-c-button pf-m-${variant} ${className}`}>
    {icon && <span className={`pf-v6-c-button__icon${children ? ' pf-m-start' : ''}`}>{icon}</span>}
    {children && <span className="pf-v6-c-button__text">{children}</span>}
  </button>
)
