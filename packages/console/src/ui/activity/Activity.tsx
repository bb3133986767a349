import { labels } from '@slipway/model/labels'
import { useLocation } from 'react-router'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { CommitTable } from '../commits/CommitTable'
import { currentTab, DetailTabs } from '../page/DetailLayout'
import { PipelineRunTable } from '../pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../table/columns'
import { type ActivityTabId, activityTabs } from './activity-tabs'
import './activity.css'

interface ActivityProps {
  namespace: string
  application: string
  /** Of this component alone. */
  component?: string
  tab: ActivityTabId
  /** Addresses of the parts. */
  pathOf: (activityTab: ActivityTabId) => string
  /** What the part about commits is called. */
  commitsLabel?: string
}

/** What the history of an activity is: the runs of an application, or of one of its components. */
export const activityOf = ({ namespace, application, component }: Omit<ActivityProps, 'tab' | 'pathOf'>) =>
  pipelineRuns.history({
    namespace,
    labels: { [labels.application]: application, ...(component && { [labels.component]: component }) },
  })

/** Commits and pipeline runs, each at an address of its own. Both read the same runs, once. */
export function Activity({ tab, pathOf, commitsLabel = 'Latest commits', ...of }: ActivityProps) {
  const { namespace, application, component } = of
  const { pathname } = useLocation()
  const tabs = activityTabs.map(({ id, label }) => ({
    label: id === 'latest-commits' ? commitsLabel : label,
    to: pathOf(id),
  }))
  const history = activityOf(of)
  const key = ['pipeline-runs-columns', application, component].filter(Boolean).join('-')
  return (
    <DetailTabs
      isSubtab
      label={`Activity of ${component ?? application}`}
      tabs={tabs}
      current={currentTab(tabs, pathname)}
    >
      <div className="slipway-activity">
        {tab === 'latest-commits' ? (
          <CommitTable key={key} history={history} />
        ) : (
          <PipelineRunTable key={key} namespace={namespace} history={history} preferences={tablePreferences(key)} />
        )}
      </div>
    </DetailTabs>
  )
}
