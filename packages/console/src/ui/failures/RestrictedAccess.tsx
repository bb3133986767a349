import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import { failureText } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'

/** In place of a part of a page that the cluster does not let this user see, with what the cluster said. */
export const RestrictedAccess = ({ error }: { error: unknown }) => (
  <MessagePanel variant="sm" titleText="Restricted Access" icon={LockIcon}>
    <p>You don't have access to this section due to cluster policy.</p>
    <p>{failureText(error)}</p>
  </MessagePanel>
)
