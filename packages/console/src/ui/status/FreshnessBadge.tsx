import {
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Label,
  type LabelProps,
  Popover,
} from '@patternfly/react-core'
import ArchiveIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-history-icon'
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-icon'
import ClockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-clock-icon'
import DisconnectedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-disconnected-icon'
import PendingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-pending-icon'
import PollingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-sync-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-icon'
import type { ComponentType } from 'react'
import { type Freshness, useFreshness } from '../../api/live/freshness'
import { clockTime } from '../../api/live/connectivity'
import { reconnectNow } from '../../api/live/live'
import { failureText } from '../../api/messages'
import type { FreshnessPart, MissingPart } from '../../api/source'
import { formatDate, formatDuration } from '../../lib/dates'
import { overlayContainer } from '../page/overlay-container'
import { useNow } from '../text/now'

interface Appearance {
  status?: LabelProps['status']
  Icon: ComponentType
  /** Where the data comes from and how it is kept up to date. */
  source: string
}

const styles: Record<Freshness['kind'], Appearance> = {
  live: { status: 'success', Icon: CheckIcon, source: 'The cluster. Every change arrives by itself.' },
  polling: { Icon: PollingIcon, source: 'The cluster, read again every 10 seconds.' },
  stale: { status: 'warning', Icon: WarningIcon, source: 'What the cluster last answered.' },
  offline: { status: 'warning', Icon: DisconnectedIcon, source: 'What the cluster last answered.' },
  loading: { Icon: PendingIcon, source: 'The cluster. The live connection is being made.' },
  static: { Icon: ClockIcon, source: 'The cluster, read once. It is read again when you come back to this page.' },
}

const archived: Appearance = { Icon: ArchiveIcon, source: 'The archive. The cluster has it no more, so it cannot change.' }
const nothingYet = 'The cluster, which has not responded yet. The console keeps trying.'
const incomplete: Pick<Appearance, 'status' | 'Icon'> = { status: 'warning', Icon: WarningIcon }

/** `Live`, `12 s old`, `Offline since 9:00 AM`: what the badge of a panel says at a time. */
export function freshnessText({ kind, asOf, since }: Freshness, nowMs: number): string {
  if (kind === 'live') return 'Live'
  if (since) return `Offline since ${clockTime(since)}`
  if (kind === 'stale' && !asOf) return 'No response'
  return kind === 'loading' || !asOf ? 'Connecting' : ageOf(asOf, nowMs)
}

/** One unit is enough to judge by: `12 s old`, `5 min old`. */
function ageOf(asOf: Date, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - asOf.getTime()) / 1_000))
  if (seconds < 60) return `${seconds} s old`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min old`
  return `${Math.floor(seconds / 3_600)} h old`
}

interface FreshnessBadgeProps {
  /** What the panel is made of; the part that can be trusted least decides. */
  freshness: readonly FreshnessPart[]
  onRetry: () => void
  /** Which archive the past comes from, where it is shown too. */
  archive?: string | undefined
  /** The object itself comes from the archive: the cluster has it no more. */
  isArchived?: boolean
  /** Parts of it that could not be read. */
  missing?: readonly MissingPart[]
}

/** How far a panel may be trusted: a word beside it, and on demand from where, since when, why, and another try. */
export function FreshnessBadge({
  freshness: parts,
  onRetry,
  archive,
  isArchived = false,
  missing = [],
}: FreshnessBadgeProps) {
  const freshness = useFreshness(parts)
  const { kind, asOf, reason } = freshness
  const now = useNow(kind === 'live' || kind === 'loading' ? false : 1_000)
  const readAgain = () => {
    onRetry()
    // After it, so that what connects waits for the same read.
    reconnectNow()
  }
  // That all of it is old counts for more than that a part is missing.
  const isPartial = missing.length > 0 && kind !== 'stale' && kind !== 'offline'
  const { status, Icon, source } = isArchived ? archived : isPartial ? { ...styles[kind], ...incomplete } : styles[kind]
  const text = isArchived ? 'Archive' : isPartial ? 'Partial' : freshnessText(freshness, now)
  return (
    <Popover
      aria-label="How fresh this is"
      appendTo={overlayContainer}
      position="bottom-end"
      headerComponent="h2"
      minWidth="18rem"
      headerContent={text}
      bodyContent={
        <DescriptionList isCompact>
          <Detail term="From" description={kind === 'stale' && !asOf ? nothingYet : source} />
          {archive && <Detail term="Past" description={`The archive, ${archive}.`} />}
          {missing.map(({ name, error }) => (
            <Detail key={name} term="Missing" description={`${name}: ${failureText(error)}`} />
          ))}
          {parts.length > 1 && parts.map((part) => <PartDetail key={part.name} part={part} />)}
          {asOf && <Detail term="As of" description={formatDate(asOf)} />}
          {asOf && kind !== 'live' && <Detail term="Age" description={formatDuration(now - asOf.getTime())} />}
          {reason && <Detail term="Why" description={reason} />}
        </DescriptionList>
      }
      footerContent={
        <Button variant="link" isInline onClick={readAgain}>
          Read again now
        </Button>
      }
    >
      <Label isCompact variant="outline" status={status} icon={<Icon />} onClick={noop}>
        {text}
      </Label>
    </Popover>
  )
}

/** A label is a button only with a handler; the popover brings the one that counts. */
const noop = () => undefined

/** How fresh one of several parts is. */
function PartDetail({ part }: { part: FreshnessPart }) {
  const freshness = useFreshness([part])
  return <Detail term={part.name} description={freshnessText(freshness, useNow(1_000))} />
}

const Detail = ({ term, description }: { term: string; description: string }) => (
  <DescriptionListGroup>
    <DescriptionListTerm>{term}</DescriptionListTerm>
    <DescriptionListDescription>{description}</DescriptionListDescription>
  </DescriptionListGroup>
)
