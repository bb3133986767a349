import { CommitTable } from '../commits/CommitTable'
import type { RunSelection } from '../../resources/pipeline-runs'
import { firstRuns } from '../pipeline-runs/first-runs'
import { PipelineRunTable } from '../pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'
import type { ActivityTabId } from './activity-tabs'

/** For `waitFor` of its page. */
export const firstRowsOf = ({ tab, ...at }: Omit<ActivityProps, 'tab'> & { tab: string | undefined }) =>
  tab === 'pipelineruns' ? [firstRuns(at, preferencesOf(at))] : []

// Names may contain hyphens, but no slashes.
const keyOf = ({ namespace, application, component }: RunSelection) =>
  `pipeline-runs-columns-${[namespace, application, component].filter(Boolean).join('/')}`
const preferencesOf = (at: RunSelection) => tablePreferences(keyOf(at))

interface ActivityProps {
  namespace: string
  application: string
  /** Limits the activity to this component. */
  component?: string
  tab: ActivityTabId
}

/** Commits or pipeline runs. */
export function Activity({ tab, namespace, application, component }: ActivityProps) {
  const runs = { namespace, application, ...(component && { component }) }
  const key = keyOf(runs)
  return tab === 'latest-commits' ? (
    <CommitTable key={key} at={{ namespace, application }} component={component} />
  ) : (
    <PipelineRunTable key={key} runs={runs} preferences={preferencesOf(runs)} />
  )
}
