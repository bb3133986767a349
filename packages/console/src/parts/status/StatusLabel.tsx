import type { IconComponentProps } from '@patternfly/react-core'
import BanIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-ban-icon'
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon'
import ErrorIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import HourglassIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-hourglass-icon'
import MergeIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-merge-nodes-icon'
import PauseIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-pause-circle-icon'
import PendingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-pending-icon'
import PlayIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-play-circle-icon'
import SkippedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-circle-right-icon'
import StopIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-stop-circle-icon'
import SyncIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-sync-icon'
import UnknownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-unknown-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'
import type { IgnoredFailure, RunStatusWord } from '@slipway/model/runs/run-status'
import type { DeliveryOutcome } from '@slipway/model/releases/delivery'
import type { ReleasePlanStatus } from '@slipway/model/releases/release-plan'
import type { Outlook } from '@slipway/model/releases/release-prospects'
import type { SnapshotStatus } from '@slipway/model/snapshots/snapshot-status'
import type { ComponentType } from 'react'
import { AsLastKnown, useLastKnown } from '../../ui/status/last-known'
import '@patternfly/react-styles/css/components/Icon/icon.css'
import './StatusLabel.css'

export type StatusWord =
  | RunStatusWord
  | IgnoredFailure
  | SnapshotStatus
  | Outlook
  | DeliveryOutcome
  | ReleasePlanStatus
  | 'Completed'
  | 'Interrupted'
  | 'Not needed'
  | 'No failures'

interface Appearance {
  Shape: ComponentType
  color?: IconComponentProps['status']
  isSpinning?: boolean
}

/** A new status does not compile until it has an appearance. */
const styles: Record<StatusWord, Appearance> = {
  Succeeded: { Shape: CheckIcon, color: 'success' },
  Completed: { Shape: CheckIcon, color: 'success' },
  'No failures': { Shape: CheckIcon, color: 'success' },
  Matched: { Shape: CheckIcon, color: 'success' },
  Failed: { Shape: ErrorIcon, color: 'danger' },
  'Failed, ignored': { Shape: WarningIcon, color: 'warning' },
  FailedToStart: { Shape: ErrorIcon, color: 'danger' },
  Invalid: { Shape: ErrorIcon, color: 'danger' },
  'Not Matched': { Shape: ErrorIcon, color: 'danger' },
  'Test Failures': { Shape: WarningIcon, color: 'danger' },
  'Test Warnings': { Shape: WarningIcon, color: 'warning' },
  Running: { Shape: SyncIcon, color: 'info', isSpinning: true },
  'In Progress': { Shape: SyncIcon, color: 'info', isSpinning: true },
  Starting: { Shape: PlayIcon, color: 'info' },
  Pending: { Shape: HourglassIcon },
  PipelineNotStarted: { Shape: PendingIcon },
  Idle: { Shape: PauseIcon },
  Released: { Shape: CheckIcon, color: 'success' },
  Releasing: { Shape: SyncIcon, color: 'info', isSpinning: true },
  Waiting: { Shape: HourglassIcon },
  Manual: { Shape: PlayIcon },
  'Held back': { Shape: PauseIcon, color: 'warning' },
  Blocked: { Shape: BanIcon, color: 'danger' },
  'Not needed': { Shape: SkippedIcon },
  'Not released': { Shape: PauseIcon },
  Superseded: { Shape: SkippedIcon },
  Skipped: { Shape: SkippedIcon },
  Interrupted: { Shape: PauseIcon, color: 'warning' },
  Cancelled: { Shape: BanIcon },
  Cancelling: { Shape: StopIcon, color: 'warning' },
  'PR needs merge': { Shape: MergeIcon, color: 'info' },
  Unknown: { Shape: UnknownIcon },
}

/** How good or bad a status is, as its colour says; `undefined` for one that is neither. */
export const toneOf = (status: StatusWord): IconComponentProps['status'] => styles[status].color

/** Whether a verdict includes its status: `Failed, ignored`. */
const refines = (verdict: StatusWord, status: StatusWord): boolean => verdict.startsWith(`${status}, `)

/** The words of a label, for screen readers: `Succeeded (Test Failures)`. */
export const statusText = (status: StatusWord, verdict: StatusWord = status): string =>
  verdict === status || refines(verdict, status) ? verdict : `${status} (${verdict})`

interface StatusLabelProps {
  status: StatusWord
  /** What the object comes to where its status alone misleads: gives the icon and the color, and follows the status. */
  verdict?: StatusWord | undefined
  /** The words for the verdict, if it is not clear beside the status. */
  verdictText?: string
  /** What the status does not say, such as `timed out`. */
  note?: string | undefined
}

/** The icon of a status, for where its word is at hand. */
export function StatusIcon({ status }: { status: StatusWord }) {
  const { Shape, color } = styles[status]
  return (
    // The elements of PatternFly's `Icon`, which costs more: a table of runs has two in each row.
    <span className="pf-v6-c-icon pf-m-inline">
      <span className={`pf-v6-c-icon__content${color ? ` pf-m-${color}` : ''}`}>
        <Shape />
      </span>
    </span>
  )
}

/**
 * A status in a word, with an icon and a colour for scanning many of them. The icon of a running status stops spinning
 * while the data is stale.
 */
export function StatusLabel({ status, verdict = status, verdictText = verdict, note }: StatusLabelProps) {
  const { isSpinning } = styles[verdict]
  const isRefined = refines(verdict, status)
  const isCurrent = useLastKnown() === undefined
  return (
    <span className="slipway-status" data-spinning={(isSpinning && isCurrent) || undefined}>
      <StatusIcon status={verdict} />
      {isRefined ? verdict : status}
      {verdict !== status && !isRefined && <small> ({verdictText})</small>}
      {note && <small> ({note})</small>}
      {isSpinning && <AsLastKnown />}
    </span>
  )
}
