import type { LoaderFunctionArgs } from 'react-router'
import { connectViews } from '../../api/views/open-view'
import { paths } from '../../paths'
import { actionChecks } from '../../ui/actions/defined-action'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { Activity, firstRowsOf } from '../../parts/activity/Activity'
import { activityTabOf, isActivityTab } from '../../parts/activity/activity-tabs'
import { loadNeeds } from '../../ui/page/needs'
import { route } from '../../ui/page/route'
import { rememberedActivity } from './activity-memory'

export const page = route(paths.componentActivityTab)

export function loader({ params }: LoaderFunctionArgs) {
  const { activityTab, ...at } = page.paramsOf(params)
  if (isActivityTab(activityTab)) rememberedActivity(at).set(activityTab)
  return loadNeeds({
    check: actionChecks(at.namespace, ...runActions.list),
    waitFor: firstRowsOf({ ...at, tab: activityTab }),
    parts: [connectViews],
  })
}

export { ComponentActivityTab as Component }
function ComponentActivityTab() {
  const { activityTab, ...at } = page.useParams()
  return <Activity {...at} tab={activityTabOf(activityTab)} />
}
