import { EmptyState, EmptyStateBody } from '@patternfly/react-core'
import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import { failureText } from '../../api/messages'

/** Replaces a part of a page that the user may not see, with the message of the cluster. */
export const RestrictedAccess = ({ error }: { error: unknown }) => (
  <EmptyState variant="sm" headingLevel="h2" titleText="Restricted Access" icon={LockIcon}>
    <EmptyStateBody>
      <p>You don't have access to this section due to cluster policy.</p>
      <p>{failureText(error)}</p>
    </EmptyStateBody>
  </EmptyState>
)
