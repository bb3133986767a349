import { labels } from '@slipway/model/labels'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { CommitTable } from '../commits/CommitTable'
import { PipelineRunTable } from '../pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'
import type { ActivityTabId } from './activity-tabs'

interface ActivityProps {
  namespace: string
  application: string
  /** Limits the activity to this component. */
  component?: string
  tab: ActivityTabId
}

/** The history that an activity shows: the runs of an application, or of one of its components. */
export const activityOf = ({ namespace, application, component }: Omit<ActivityProps, 'tab'>) =>
  pipelineRuns.history({
    namespace,
    labels: { [labels.application]: application, ...(component && { [labels.component]: component }) },
  })

/** Commits or pipeline runs. Both read the same runs, once. */
export function Activity({ tab, namespace, application, component }: ActivityProps) {
  const history = activityOf({ namespace, application, ...(component && { component }) })
  // Names may contain hyphens, but no slashes.
  const key = `pipeline-runs-columns-${[namespace, application, component].filter(Boolean).join('/')}`
  return tab === 'latest-commits' ? (
    <CommitTable key={key} at={{ namespace, application }} history={history} />
  ) : (
    <PipelineRunTable key={key} namespace={namespace} history={history} preferences={tablePreferences(key)} />
  )
}
