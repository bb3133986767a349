import {
  Alert,
  AlertActionLink,
  Bullseye,
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core'
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-search-icon'
import { isForbidden } from '@slipway/kube/status'
import { failureText, loadFailure } from '../../api/messages'
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

interface PartialAlertProps {
  label: string
  error: Error
  missing: 'cluster' | 'archive'
  onRetry: () => void
}

const halves = {
  cluster: 'What was read before and what the archive has kept is shown; what else the cluster has is missing.',
  archive: 'What the cluster has is shown; what only the archive has is missing.',
}

/** Above rows that are not all there are. */
export const PartialAlert = ({ label, error, missing, onRetry }: PartialAlertProps) => (
  <Alert
    isInline
    isLiveRegion
    variant="warning"
    component="p"
    title={`Error while fetching ${label.toLowerCase()}`}
    actionLinks={<AlertActionLink onClick={onRetry}>Try again</AlertActionLink>}
  >
    {failureText(error)} {halves[missing]}
  </Alert>
)

interface RowCountProps {
  shown: number
  total: number
  /** Whether there are no more than have been loaded. */
  isAll: boolean
}

/** How many rows are shown of how many: `1,200 total`, or `3 of 1,200` while a filter is set. */
export const RowCount = ({ shown, total, isAll }: RowCountProps) => (
  <span role="status" className="slipway-table__count">
    {shown === total ? number(total) : `${number(shown)} of ${number(total)}`}{' '}
    {isAll ? shown === total && 'total' : 'loaded'}
  </span>
)

const number = (value: number): string => value.toLocaleString('en-US')
