import { connectViews } from '../../api/views/open-view'
import { actionChecks } from '../../ui/actions/defined-action'
import { paths } from '../../paths'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { Activity, firstRowsOf } from '../../parts/activity/Activity'
import { activityTabOf } from '../../parts/activity/activity-tabs'
import { route } from '../../ui/page/route'

export const page = route(paths.activityTab, ({ activityTab, ...at }) => ({
  check: actionChecks(at.namespace, ...runActions.list),
  waitFor: firstRowsOf({ ...at, tab: activityTab }),
  parts: [connectViews],
}))

export { ActivityTab as Component }
function ActivityTab() {
  const { activityTab, ...at } = page.useParams()
  return <Activity {...at} tab={activityTabOf(activityTab)} />
}
