import type { RunStatusWord } from '@slipway/model/runs/run-status'
import { startTimeOf, type Run } from '@slipway/model/runs/tekton'
import { formatDuration, formatDurationLong } from '../../lib/dates'
import { hasNoDuration, isSettled } from '../status/display-status'
import { AsLastKnown, useKnownNow } from '../../ui/status/last-known'

interface DurationProps {
  /** RFC 3339; shown as `-` without it. */
  from: string | undefined
  /** Without it, the duration grows every second unless `isOver`, as long as the data is kept up to date. */
  to?: string | undefined
  /** It has ended; without `to`, its duration is unknown and shown as `-`. */
  isOver?: boolean | undefined
  /** It is waiting, so it has no duration, whatever its start time. */
  isPending?: boolean
}

/** How long something took, or has taken so far. */
export function Duration({ from, to, isOver = false, isPending = false }: DurationProps) {
  const start = Date.parse(from ?? '')
  const isKnown = !isPending && !(isOver && !to) && !Number.isNaN(start)
  const now = useKnownNow(isKnown && !to && 1_000)
  if (!isKnown) return '-'
  const durationMs = (to ? Date.parse(to) : now) - start
  if (Number.isNaN(durationMs)) return '-'
  return (
    <>
      <span aria-hidden="true">{formatDuration(durationMs)}</span>
      <span className="pf-v6-screen-reader">{formatDurationLong(durationMs)}</span>
      {!to && <AsLastKnown />}
    </>
  )
}

/** How long a run has taken. @param status as it is shown */
export const RunDuration = ({ run, status }: { run: Run; status: RunStatusWord }) => (
  <Duration
    from={startTimeOf(run)}
    to={run.status?.completionTime}
    isOver={isSettled(run)}
    isPending={hasNoDuration(status)}
  />
)
