import type { NamespaceState } from '@slipway/model/overview/namespace-health'
import { StatusLabel, type StatusWord } from '../../parts/status/StatusLabel'

const words: Record<NamespaceState, StatusWord> = {
  Failing: 'Failed',
  'Held back': 'Held back',
  Unknown: 'Unknown',
  Running: 'Running',
  Healthy: 'Succeeded',
}

/** The state of a namespace, as its worst part has it. */
export const NamespaceStateLabel = ({ state }: { state: NamespaceState }) => <StatusLabel status={words[state]} />
