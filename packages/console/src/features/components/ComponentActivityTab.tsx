import type { LoaderFunctionArgs } from 'react-router'
import { actionChecks } from '../../ui/actions/defined-action'
import { runActions } from '../../ui/pipeline-runs/run-actions'
import { Activity, activityOf } from '../../ui/activity/Activity'
import { activityTabOf, isActivityTab } from '../../ui/activity/activity-tabs'
import { loadNeeds } from '../../ui/page/needs'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { rememberedActivity } from './activity-memory'

export function loader({ params }: LoaderFunctionArgs) {
  const { activityTab, ...at } = paramsOf(params, 'namespace', 'application', 'component', 'activityTab')
  if (isActivityTab(activityTab)) rememberedActivity(at).set(activityTab)
  return loadNeeds({ check: actionChecks(at.namespace, ...runActions.list), read: [activityOf(at).live] })
}

export { ComponentActivityTab as Component }
function ComponentActivityTab() {
  const { activityTab, ...at } = useRequiredParams('namespace', 'application', 'component', 'activityTab')
  return <Activity {...at} tab={activityTabOf(activityTab)} />
}
