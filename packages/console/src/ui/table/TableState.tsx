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
import { asSentence, failureText } from '../../api/messages'
import type { MissingPart } from '../../api/source'

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

interface PartialAlertProps {
  label: string
  missing: readonly MissingPart[]
  /** Whether there are no rows at all. */
  isEmpty: boolean
  onRetry: () => void
}

/** Above rows that are not all there are, and in place of them where there are none. */
export const PartialAlert = ({ label, missing, isEmpty, onRetry }: PartialAlertProps) => (
  <Alert
    isInline
    isLiveRegion
    variant="warning"
    component="p"
    title={`Error while fetching ${label.toLowerCase()}`}
    actionLinks={<AlertActionLink onClick={onRetry}>Try again</AlertActionLink>}
  >
    {missing.length <= mostReasons ? reasonsOf(missing) : namesOf(missing)}{' '}
    {isEmpty ? `It is not known whether there are any ${label.toLowerCase()}.` : 'What is shown is not complete.'}
  </Alert>
)

/** The reasons of more parts would hide the rows: they are in the badge of the page. */
const mostReasons = 2

const verbs = ['Could not read', 'Retrying'] as const

const verbOf = ({ isRetrying }: MissingPart): (typeof verbs)[number] => (isRetrying ? 'Retrying' : 'Could not read')

const reasonsOf = (missing: readonly MissingPart[]): string =>
  missing.map((part) => asSentence(`${verbOf(part)} ${part.name}: ${failureText(part.error)}`)).join(' ')

function namesOf(missing: readonly MissingPart[]): string {
  const sentences = verbs.flatMap((verb) => {
    const names = missing.filter((part) => verbOf(part) === verb).map(({ name }) => name)
    return names.length > 0 ? `${verb} ${names.join(', ')}.` : []
  })
  return [...sentences, 'The badge of this page says why.'].join(' ')
}

interface RowCountProps {
  shown: number
  total: number
  /** Whether all rows have been loaded, or at least counted. */
  isAll: boolean
  /** Whether there may be others in an archive, which have been neither loaded nor counted. */
  isClusterOnly: boolean
  /** Whether rows that are not loaded could belong anywhere between the others. */
  isSortedInPart: boolean
}

/** How many rows are shown of how many: `1,200 total`, or `3 of 1,200` while a filter is set. */
export const RowCount = ({ shown, total, isAll, isClusterOnly, isSortedInPart }: RowCountProps) => (
  <span role="status" className="slipway-table__count">
    {shown === total ? number(total) : `${number(shown)} of ${number(total)}`}{' '}
    {isAll
      ? isClusterOnly
        ? 'in the cluster'
        : shown === total && 'total'
      : isSortedInPart
        ? 'loaded: only these are sorted'
        : 'loaded'}
  </span>
)

const number = (value: number): string => value.toLocaleString('en-US')
