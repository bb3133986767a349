import { actionChecks } from '../../ui/actions/defined-action'
import { runActions } from '../../ui/pipeline-runs/run-actions'
import { Activity, activityOf } from '../../ui/activity/Activity'
import { activityTabOf } from '../../ui/activity/activity-tabs'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'

export const loader = createLoader(['namespace', 'application'], ({ namespace, application }) => ({
  check: actionChecks(namespace, ...runActions.list),
  read: [activityOf({ namespace, application }).live],
}))

export { ActivityTab as Component }
function ActivityTab() {
  const { activityTab, ...at } = useRequiredParams('namespace', 'application', 'activityTab')
  return <Activity {...at} tab={activityTabOf(activityTab)} />
}
