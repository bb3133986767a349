import { Alert } from '@patternfly/react-core'
import type { Words } from '../api/messages'

/** What went wrong with a form or dialog, read out when it appears. */
export const FailureAlert = ({ title, body }: Words) => (
  <Alert isInline isLiveRegion variant="danger" component="p" title={title}>
    {body}
  </Alert>
)
