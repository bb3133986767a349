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

/** Commits or pipeline runs. */
export function Activity({ tab, namespace, application, component }: ActivityProps) {
  const runs = { namespace, application, ...(component && { component }) }
  // Names may contain hyphens, but no slashes.
  const key = `pipeline-runs-columns-${[namespace, application, component].filter(Boolean).join('/')}`
  return tab === 'latest-commits' ? (
    <CommitTable key={key} at={{ namespace, application }} component={component} />
  ) : (
    <PipelineRunTable key={key} runs={runs} preferences={tablePreferences(key)} />
  )
}
