import type { LoaderFunctionArgs } from 'react-router'
import { prefetchAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { runActionChecks } from '../../resources/rights'
import { Activity, activityOf } from '../../ui/activity/Activity'
import { activityTabOf } from '../../ui/activity/activity-tabs'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { rememberedActivity } from './activity-memory'

export async function loader({ params }: LoaderFunctionArgs) {
  const { activityTab, ...at } = paramsOf(params, 'namespace', 'application', 'component', 'activityTab')
  rememberedActivity(at.component).set(activityTabOf(activityTab))
  // Not awaited: the page stands at once, and its table says what becomes of the list.
  void queryClient.prefetchQuery(activityOf(at).live)
  await prefetchAccess(runActionChecks(at.namespace))
  return null
}

export { ComponentActivityTab as Component }
function ComponentActivityTab() {
  const { activityTab, ...at } = useRequiredParams('namespace', 'application', 'component', 'activityTab')
  return <Activity {...at} tab={activityTabOf(activityTab)} />
}
