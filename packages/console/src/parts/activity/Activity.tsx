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

/** The runs of an application, or of one of its components. */
export const activityOf = ({ namespace, application, component }: Omit<ActivityProps, 'tab'>) =>
  pipelineRuns.history({
    namespace,
    labels: { [labels.application]: application, ...(component && { [labels.component]: component }) },
  })

/** What a subtab reads before it is shown. */
export const activityQueries = (tab: string, at: Omit<ActivityProps, 'tab'>) =>
  tab === 'latest-commits' ? [activityOf(at).live] : []

/** Commits or pipeline runs. */
export function Activity({ tab, namespace, application, component }: ActivityProps) {
  const runs = { namespace, application, ...(component && { component }) }
  // Names may contain hyphens, but no slashes.
  const key = `pipeline-runs-columns-${[namespace, application, component].filter(Boolean).join('/')}`
  return tab === 'latest-commits' ? (
    <CommitTable key={key} at={{ namespace, application }} history={activityOf(runs)} />
  ) : (
    <PipelineRunTable key={key} runs={runs} preferences={tablePreferences(key)} />
  )
}
