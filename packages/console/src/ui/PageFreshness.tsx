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
import ClockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-clock-icon'
import DisconnectedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-disconnected-icon'
import PendingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-pending-icon'
import PollingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-sync-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-icon'
import type { ComponentType } from 'react'
import { distrustOf, type Freshness, useFreshness, useFreshnessOfEach } from '../api/live/freshness'
import { clockTime } from '../api/live/connectivity'
import { reconnectNow } from '../api/live/live'
import { failureText } from '../api/messages'
import type { FreshnessPart } from '../api/source'
import { formatZonedDate, formatDuration } from '../lib/dates'
import { useOverlayContainer } from './page/overlay-container'
import { type RegisteredPanel, usePanels } from './freshness-scope'
import { useLasts } from './status/use-lasts'
import { useNow } from './text/now'
import './PageFreshness.css'

/** A registered panel and how fresh it is now. */
export interface Panel extends RegisteredPanel {
  freshness: Freshness
}

interface Appearance {
  status?: LabelProps['status']
  Icon: ComponentType
  /** Where the data comes from and how it is kept up to date. */
  source: string
}

/** A dot in the colour of the text: a tick would read as a status of what the page shows. */
const LiveIcon = () => <span aria-hidden className="slipway-freshness__dot" />

const styles: Record<Freshness['kind'], Appearance> = {
  live: { Icon: LiveIcon, source: 'The cluster. Changes appear as they happen.' },
  polling: { Icon: PollingIcon, source: 'The cluster, polled at intervals.' },
  stale: { status: 'warning', Icon: WarningIcon, source: 'Last data received from the cluster.' },
  offline: { status: 'warning', Icon: DisconnectedIcon, source: 'Last data received from the cluster.' },
  loading: { Icon: PendingIcon, source: 'Connecting to the cluster…' },
  static: { Icon: ClockIcon, source: 'The cluster, loaded once. Reloads when you return to this page.' },
}

const archived: Appearance = {
  Icon: ArchiveIcon,
  source: 'The archive. This was deleted from the cluster and no longer changes.',
}
const nothingYet = 'The cluster, which has not responded yet. The console keeps trying.'
const incomplete: Pick<Appearance, 'status' | 'Icon'> = { status: 'warning', Icon: WarningIcon }

/** `Live`, `Updated 12 s ago`, `Offline since 9:00 AM`: the text of a panel's badge at a given time. */
export function freshnessText({ kind, asOf, since }: Freshness, nowMs: number): string {
  if (kind === 'live') return 'Live'
  if (since) return `Offline since ${clockTime(since)}`
  if (kind === 'stale' && !asOf) return 'No response'
  return kind === 'loading' || !asOf ? 'Connecting' : ageOf(asOf, nowMs)
}

/** One unit is precise enough: `Updated 12 s ago`, `Updated 5 min ago`. */
function ageOf(asOf: Date, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - asOf.getTime()) / 1_000))
  if (seconds < 60) return `Updated ${seconds} s ago`
  if (seconds < 3_600) return `Updated ${Math.floor(seconds / 60)} min ago`
  return `Updated ${Math.floor(seconds / 3_600)} h ago`
}

const isPartial = ({ missing, freshness: { kind } }: Panel): boolean =>
  // Stale data outweighs a missing part.
  missing.length > 0 && kind !== 'stale' && kind !== 'offline'

/** The panel that the badge of a page shows; `undefined` where a page has no panels. */
export const worstOf = (panels: readonly Panel[]): Panel | undefined =>
  [...panels].sort((a, b) => distrustOfPanel(b) - distrustOfPanel(a))[0]

function distrustOfPanel(panel: Panel): number {
  if (isPartial(panel)) return distrustOf('stale') - 0.5
  if (panel.isArchived) return distrustOf('live') + 0.5
  return distrustOf(panel.freshness.kind)
}

/** How long a loss has to last before the badge turns amber: a shorter one is not worth a glance. */
const settlingMs = 2_000

/** How fresh a page is: one discreet label, and on demand the source, last update and reason of each panel. */
export function PageFreshness() {
  const registered = usePanels()
  const freshness = useFreshnessOfEach(registered.map(({ parts }) => parts))
  const panels = registered.flatMap((panel, at): Panel[] =>
    freshness[at] ? [{ ...panel, freshness: freshness[at] }] : [],
  )
  const overlayContainer = useOverlayContainer()
  const worst = worstOf(panels)
  const kind = worst?.freshness.kind
  const isSettling = !useLasts(kind === 'stale' || kind === 'polling', settlingMs)
  const isTicking = kind !== undefined && kind !== 'live' && kind !== 'loading'
  const now = useNow(isTicking && 1_000)
  if (!worst) return null
  const { status, Icon, text } = describePanel(worst, now, isSettling)
  const refresh = () => {
    for (const { retry } of panels) retry()
    // After the reads, so that the new connections wait for them.
    reconnectNow()
  }
  return (
    <Popover
      aria-label="Data freshness"
      appendTo={overlayContainer}
      position="bottom-end"
      headerComponent="h2"
      minWidth="18rem"
      headerContent={text}
      bodyContent={
        <div className="slipway-freshness__panels" role="group" aria-label="Panels" tabIndex={0}>
          {panels.map((panel) => (
            <PanelDetails key={panel.label} panel={panel} now={now} isOnly={panels.length === 1} />
          ))}
        </div>
      }
      footerContent={
        <Button variant="link" isInline onClick={refresh}>
          Refresh
        </Button>
      }
    >
      <Label isCompact variant="outline" status={status} icon={<Icon />} onClick={noop} className="slipway-freshness">
        {text}
      </Label>
    </Popover>
  )
}

/** @param isSettling whether a loss has not lasted long enough to be worth a glance */
export function describePanel(
  panel: Panel,
  nowMs: number,
  isSettling: boolean,
): Omit<Appearance, 'source'> & { text: string } {
  const { freshness, isArchived } = panel
  if (isArchived) return { ...archived, text: 'Archive' }
  if (isPartial(panel)) return { ...incomplete, text: 'Partial' }
  if (isSettling && (freshness.kind === 'stale' || freshness.kind === 'polling')) {
    return { ...styles.loading, text: 'Connecting' }
  }
  return { ...styles[freshness.kind], text: freshnessText(freshness, nowMs) }
}

/** Panels with more parts show only the age of the oldest, which is that of the panel. */
const mostParts = 10

interface PanelDetailsProps {
  panel: Panel
  now: number
  isOnly: boolean
}

function PanelDetails({ panel, now, isOnly }: PanelDetailsProps) {
  const { label, freshness, parts, archive, isArchived, missing } = panel
  const { kind, asOf, reason } = freshness
  const source = isArchived ? archived.source : kind === 'stale' && !asOf ? nothingYet : styles[kind].source
  return (
    <>
      {!isOnly && <h3 className="slipway-freshness__panel">{label}</h3>}
      <DescriptionList isCompact>
        <Detail term="Source" description={source} />
        {parts.map(({ name, readBy }) => readBy && <Detail key={name} term="Read by" description={readBy} />)}
        {archive && <Detail term="History" description={`The archive, ${archive}.`} />}
        {missing.map(({ name, error, isRetrying }) => (
          <Detail
            key={name}
            term={isRetrying ? 'Retrying' : 'Missing'}
            description={`${name}: ${failureText(error)}`}
          />
        ))}
        {parts.length > 1 &&
          parts.length <= mostParts &&
          parts.map((part) => <PartDetail key={part.name} part={part} />)}
        {asOf && <Detail term="Last update" description={formatZonedDate(asOf)} />}
        {asOf && kind !== 'live' && <Detail term="Age" description={formatDuration(now - asOf.getTime())} />}
        {reason && <Detail term="Reason" description={reason} />}
      </DescriptionList>
    </>
  )
}

/** How fresh one of several parts is. */
function PartDetail({ part }: { part: FreshnessPart }) {
  const freshness = useFreshness([{ queryKey: part.queryKey }])
  return <Detail term={part.name} description={freshnessText(freshness, useNow(1_000))} />
}

/** A label is a button only with a handler; the popover adds the one that matters. */
const noop = () => undefined

const Detail = ({ term, description }: { term: string; description: string }) => (
  <DescriptionListGroup>
    <DescriptionListTerm>{term}</DescriptionListTerm>
    <DescriptionListDescription>{description}</DescriptionListDescription>
  </DescriptionListGroup>
)
