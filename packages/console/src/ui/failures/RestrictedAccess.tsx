import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import type { ReactNode } from 'react'
import { failureText } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'

interface RestrictedAccessProps {
  error: unknown
  /** What else the refusal may mean. */
  children?: ReactNode
}

/** Replaces a part of a page that the user may not see, with the message of the cluster. */
export const RestrictedAccess = ({ error, children }: RestrictedAccessProps) => (
  <MessagePanel variant="sm" titleText="Restricted Access" icon={LockIcon}>
    <p>You don't have access to this section due to cluster policy.</p>
    <p>{failureText(error)}</p>
    {children && <p>{children}</p>}
  </MessagePanel>
)
