import {
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  type EmptyStateProps,
} from '@patternfly/react-core'
import type { ReactNode } from 'react'

interface MessagePanelProps extends Omit<EmptyStateProps, 'ref' | 'action'> {
  /** What the user can do about it. */
  action?: ReactNode
}

/** A message in place of content that does not exist, or that cannot be shown. */
export const MessagePanel = ({ action, children, headingLevel = 'h2', ...state }: MessagePanelProps) => (
  <EmptyState headingLevel={headingLevel} {...state}>
    {children && <EmptyStateBody>{children}</EmptyStateBody>}
    {action && (
      <EmptyStateFooter>
        <EmptyStateActions>{action}</EmptyStateActions>
      </EmptyStateFooter>
    )}
  </EmptyState>
)
