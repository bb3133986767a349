import { Alert, List, ListItem } from '@patternfly/react-core'
import type { Message } from '../../api/messages'

/** The failure of a form or dialog, read out when it appears. Long details scroll, by keyboard too. */
export const FailureAlert = ({ title, body, details }: Message) => (
  <Alert isInline isLiveRegion variant="danger" component="p" title={title}>
    {body}
    {details && (
      <div className="slipway-failure__details" role="group" aria-label="Failures" tabIndex={0}>
        <List isPlain>
          {details.map((detail) => (
            <ListItem key={detail}>{detail}</ListItem>
          ))}
        </List>
      </div>
    )}
  </Alert>
)
