import {
  Bullseye,
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core'
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-search-icon'
import { isForbidden } from '@slipway/kube/status'
import { loadFailure } from '../../api/messages'
import { RestrictedAccess } from '../RestrictedAccess'

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
  if (isForbidden(error)) return <RestrictedAccess error={error} />
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
