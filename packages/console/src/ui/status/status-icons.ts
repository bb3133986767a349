import DangerIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'

/** Those of messages in the frame itself. */
export const statusIcons = { danger: DangerIcon, warning: WarningIcon }
