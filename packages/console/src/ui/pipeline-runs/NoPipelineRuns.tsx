import { EmptyState, EmptyStateBody } from '@patternfly/react-core'
import MonitoringIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-monitoring-icon'

export const NoPipelineRuns = () => (
  <EmptyState headingLevel="h2" titleText="Keep tabs on components and activity" icon={MonitoringIcon}>
    <EmptyStateBody>
      Builds, tests and releases of these components are listed here as soon as the first pipeline run starts.
    </EmptyStateBody>
  </EmptyState>
)
