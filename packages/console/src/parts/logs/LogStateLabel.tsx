import type { ReactNode } from 'react'
import { Label } from '@patternfly/react-core'
import type { StepLog } from '../../api/logs/task-log'
import { clockTime } from './log-times'

/** The state of a log in a word, so that no user takes a log for live that is not. */
export function LogStateLabel({ steps }: { steps: readonly StepLog[] }) {
  const states = steps.map(({ state }) => state)
  const lost = states.find((state) => state.phase === 'reconnecting')
  if (lost) return <State status="warning">Reconnecting since {clockTime(lost.sinceMs)}</State>
  if (states.some(({ phase }) => phase === 'failed')) return <State status="danger">Incomplete</State>
  if (states.some(({ phase }) => phase === 'live')) return <State status="info">Live</State>
  if (states.some(({ phase }) => phase === 'polling')) return <State status="info">Updated every 5 seconds</State>
  if (states.some(({ phase }) => phase === 'loading')) return <State>Loading</State>
  if (states.some(({ phase }) => phase === 'waiting')) return <State>Waiting</State>
  if (states.some((state) => state.phase === 'ended' && state.isArchived)) return <State>From the archive</State>
  return <State>Complete</State>
}

const State = ({ status, children }: { status?: 'warning' | 'danger' | 'info'; children: ReactNode }) => (
  <span role="status" className="slipway-log__state">
    <Label isCompact variant="outline" status={status}>
      {children}
    </Label>
  </span>
)
