import { Alert } from '@patternfly/react-core'

/** Above data that could not be read again in time. */
export const StaleAlert = () => (
  <Alert isInline variant="warning" component="p" title="Timed out fetching new data. The data below is stale." />
)
