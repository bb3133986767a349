import MonitoringIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-monitoring-icon'
import { MessagePanel } from '../../ui/status/MessagePanel'

export const NoPipelineRuns = () => (
  <MessagePanel titleText="Keep tabs on components and activity" icon={MonitoringIcon}>
    Builds, tests and releases of these components are listed here as soon as the first pipeline run starts.
  </MessagePanel>
)
