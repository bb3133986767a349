import SecurityIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-secured-icon'
import { MessagePanel } from '../../ui/status/MessagePanel'

export const NoPolicyResults = () => (
  <MessagePanel titleText="No policy results found" icon={SecurityIcon}>
    A task that verifies a policy writes them, in an integration test or in the pipeline of a release. Those of pull
    requests are not shown here.
  </MessagePanel>
)
