import type { RunStatusWord } from '@slipway/model/runs/run-status'
import type { Run } from '@slipway/model/runs/tekton'
import { formatDuration, formatDurationLong } from '../../lib/dates'
import { hasNoDuration, isSettled } from '../status/display-status'
import { AsLastKnown, useKnownNow } from '../status/last-known'

interface DurationProps {
  /** RFC 3339; `-` for what has not begun. */
  from: string | undefined
  /** Without it the time goes on, every second, unless it is over, as long as the data is kept up to date. */
  to?: string | undefined
  /** It has ended: `-` without `to`, since how long it took is not known. */
  isOver?: boolean | undefined
  /** What waits has taken no time, whatever its start says. */
  isPending?: boolean
}

/** How long something took, or has taken until now. */
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
    from={run.status?.startTime}
    to={run.status?.completionTime}
    isOver={isSettled(run)}
    isPending={hasNoDuration(status)}
  />
)
