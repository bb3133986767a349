import { Alert, List, ListItem } from '@patternfly/react-core'
import type { Words } from '../api/messages'

/** What went wrong with a form or dialog, read out when it appears. */
export const FailureAlert = ({ title, body, details }: Words) => (
  <Alert isInline isLiveRegion variant="danger" component="p" title={title}>
    {body}
    {details && (
      <List isPlain>
        {details.map((detail) => (
          <ListItem key={detail}>{detail}</ListItem>
        ))}
      </List>
    )}
  </Alert>
)
