import { Skeleton } from '@patternfly/react-core'
import type { Health, HealthState } from '@slipway/model/overview/namespace-health'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { StatusLabel, type StatusWord } from '../status/StatusLabel'
import '../../ui/facts-line.css'

const words: Record<HealthState, StatusWord> = {
  Failing: 'Failed',
  'Held back': 'Held back',
  Unknown: 'Unknown',
  Running: 'Running',
  // Not `Succeeded`: there may be nothing that has run.
  Healthy: 'No failures',
}

/** The state of a namespace or an application, as its worst part has it. */
export const HealthLabel = ({ state }: { state: HealthState }) => <StatusLabel status={words[state]} />

/** How many things are in each state, the worst first, and since when: `2 failing since 3h ago · 1 held back`. */
export function HealthFacts({ health: { failing, heldBack, running, since } }: { health: Health }) {
  const facts = [
    failing > 0 && `${failing} failing`,
    heldBack > 0 && `${heldBack} held back`,
    running > 0 && `${running} running`,
  ]
  const [worst, ...others] = facts.filter(Boolean)
  return (
    <>
      {worst}
      {since && (
        <>
          {' since '}
          <RelativeTime time={since} />
        </>
      )}
      {others.map((fact) => ` · ${fact}`)}
    </>
  )
}

/** A cell with the state of a namespace or an application, and why it has it. */
export function HealthCell({ health }: { health: Health | undefined }) {
  if (!health) return <Skeleton width="6rem" screenreaderText="Loading the status" />
  return (
    <span className="slipway-facts-line">
      <HealthLabel state={health.state} />
      <small>
        <HealthFacts health={health} />
      </small>
    </span>
  )
}
