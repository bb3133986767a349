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
import type { MissingPart } from '../../api/history'
import { asSentence, failureText, loadFailure } from '../../api/messages'
import { RestrictedAccess } from '../failures/RestrictedAccess'

interface NothingMatchesProps {
  /** Why some rows have not been read, so that they may match: more can be loaded, or reading them failed. */
  unread?: 'more' | 'failed'
  onClear: () => void
}

const noMatchTexts = {
  none: ['No results found', 'No results match this filter criteria. Clear all filters and try again.'],
  more: ['No loaded results match', 'Results that are not loaded yet may match. Load more or clear all filters.'],
  failed: ['No loaded results match', 'Results that could not be loaded may match. Try again or clear all filters.'],
} as const

/** Rows exist, but the filters leave none of them. */
export const NothingMatches = ({ unread, onClear }: NothingMatchesProps) => (
  <Bullseye>
    <EmptyState variant="sm" headingLevel="h2" titleText={noMatchTexts[unread ?? 'none'][0]} icon={SearchIcon}>
      <EmptyStateBody>{noMatchTexts[unread ?? 'none'][1]}</EmptyStateBody>
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
  missing: MissingPart
  /** Whether there are no rows at all. */
  isEmpty: boolean
  onRetry: () => void
}

const missingTexts: Record<MissingPart, { withRows: string; withoutRows: string }> = {
  cluster: {
    withRows: 'What was read before and what the archive has kept is shown; what else the cluster has is missing.',
    withoutRows: 'The archive has none; what the cluster has is not known.',
  },
  archive: {
    withRows: 'What the cluster has is shown; what only the archive has is missing.',
    withoutRows: 'The cluster has none; what the archive has is not known.',
  },
  both: {
    withRows: 'What was read before is shown; what else the cluster and the archive have is missing.',
    withoutRows: 'What the cluster and the archive have is not known.',
  },
}

/** Above rows that are not all there are, and in place of them where there are none. */
export const PartialAlert = ({ label, error, missing, isEmpty, onRetry }: PartialAlertProps) => (
  <Alert
    isInline
    isLiveRegion
    variant="warning"
    component="p"
    title={`Error while fetching ${label.toLowerCase()}`}
    actionLinks={<AlertActionLink onClick={onRetry}>Try again</AlertActionLink>}
  >
    {asSentence(failureText(error))} {missingTexts[missing][isEmpty ? 'withoutRows' : 'withRows']}
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
