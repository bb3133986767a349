import type { LoaderFunctionArgs } from 'react-router'
import { prefetchAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { runActionChecks } from '../../resources/rights'
import { Activity, activityOf } from '../../ui/activity/Activity'
import { activityTabOf } from '../../ui/activity/activity-tabs'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace, application, activityTab } = paramsOf(params, 'namespace', 'application', 'activityTab')
  activityTabOf(activityTab)
  // Not awaited: the page stands at once, and its table says what becomes of the list.
  void queryClient.prefetchQuery(activityOf({ namespace, application }).live)
  await prefetchAccess(runActionChecks(namespace))
  return null
}

export { ActivityTab as Component }
function ActivityTab() {
  const { activityTab, ...at } = useRequiredParams('namespace', 'application', 'activityTab')
  return <Activity {...at} tab={activityTabOf(activityTab)} />
}
