import {
  Bullseye,
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core'
import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-search-icon'
import { isForbidden } from '@slipway/kube/status'
import { failureText, loadFailure } from '../../api/messages'

/** Rows exist, but none that is asked for. */
export const NothingMatches = ({ onClear }: { onClear: () => void }) => (
  <Bullseye>
    <EmptyState variant="sm" headingLevel="h2" titleText="No results found" icon={SearchIcon}>
      <EmptyStateBody>No results match this filter criteria. Clear all filters and try again.</EmptyStateBody>
      <EmptyStateFooter>
        <EmptyStateActions>
          <Button variant="link" onClick={onClear}>
            Clear all filters
          </Button>
        </EmptyStateActions>
      </EmptyStateFooter>
    </EmptyState>
  </Bullseye>
)

interface LoadFailureProps {
  /** What could not be loaded: `Unable to load {thing}`. */
  thing: string
  error: unknown
  isRetrying: boolean
  onRetry: () => void
}

/** There is nothing to show, because it may not be read or because reading it failed. */
export function LoadFailure({ thing, error, isRetrying, onRetry }: LoadFailureProps) {
  if (isForbidden(error)) {
    return (
      <EmptyState variant="sm" headingLevel="h2" titleText="Restricted Access" icon={LockIcon}>
        <EmptyStateBody>
          <p>You don't have access to this section due to cluster policy.</p>
          <p>{failureText(error)}</p>
        </EmptyStateBody>
      </EmptyState>
    )
  }
  const { title, body } = loadFailure(error, thing)
  return (
    <EmptyState variant="sm" headingLevel="h2" titleText={title} status="danger">
      <EmptyStateBody>{body}</EmptyStateBody>
      <EmptyStateFooter>
        <EmptyStateActions>
          <Button variant="secondary" isLoading={isRetrying} isAriaDisabled={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        </EmptyStateActions>
      </EmptyStateFooter>
    </EmptyState>
  )
}
