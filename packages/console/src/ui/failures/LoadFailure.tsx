import { Button } from '@patternfly/react-core'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { loadFailure } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'
import { RestrictedAccess } from './RestrictedAccess'

interface LoadFailureProps {
  /** What could not be loaded: `Unable to load {noun}`, unless it does not exist. */
  noun: string
  error: unknown
  isRetrying: boolean
  onRetry: () => void
}

/** There is nothing to show, because it may not be read or because reading it failed. */
export function LoadFailure({ noun, error, isRetrying, onRetry }: LoadFailureProps) {
  if (isForbidden(error)) return <RestrictedAccess error={error} />
  const { title, body } = loadFailure(error, noun)
  return (
    <MessagePanel
      variant="sm"
      titleText={isNotFound(error) ? '404: Not Found' : title}
      status="danger"
      action={
        <Button variant="secondary" isLoading={isRetrying} isAriaDisabled={isRetrying} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {body}
    </MessagePanel>
  )
}
