import '@patternfly/react-styles/css/components/EmptyState/empty-state.css'
import type { ComponentType, ReactNode } from 'react'
import { statusIcons } from './status-icons'

interface MessagePanelProps {
  titleText: ReactNode
  headingLevel?: 'h1' | 'h2' | 'h3'
  icon?: ComponentType | undefined
  /** Colours the icon, which is that of the status unless another is given. */
  status?: keyof typeof statusIcons | undefined
  variant?: 'sm' | 'lg'
  /** What the user can do about it. */
  action?: ReactNode
  children?: ReactNode
}

/**
 * A message in place of content that does not exist, or that cannot be shown. Its elements are those of PatternFly's
 * `EmptyState`, since the frame shows one when nothing arrives.
 */
export function MessagePanel({
  titleText,
  headingLevel: Heading = 'h2',
  status,
  icon: Icon = status && statusIcons[status],
  variant,
  action,
  children,
}: MessagePanelProps) {
  const modifiers = `${variant ? ` pf-m-${variant}` : ''}${status ? ` pf-m-${status}` : ''}`
  return (
    <div className={`pf-v6-c-empty-state${modifiers}`}>
      <div className="pf-v6-c-empty-state__content">
        <div className="pf-v6-c-empty-state__header">
          {Icon && (
            <div className="pf-v6-c-empty-state__icon">
              <Icon />
            </div>
          )}
          <div className="pf-v6-c-empty-state__title">
            <Heading className="pf-v6-c-empty-state__title-text">{titleText}</Heading>
          </div>
        </div>
        {children && <div className="pf-v6-c-empty-state__body">{children}</div>}
        {action && (
          <div className="pf-v6-c-empty-state__footer">
            <div className="pf-v6-c-empty-state__actions">{action}</div>
          </div>
        )}
      </div>
    </div>
  )
}
