import { releasePlanType } from '@slipway/model/releases/release-plan'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { releasePlans } from '../../resources/release-plans'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { releasePlanActions } from './release-plan-actions'
import { MatchStatus } from './ReleasePlanFacts'

export const page = route(paths.releasePlan, ({ namespace, releasePlan }) => ({
  require: [{ verb: 'get', type: releasePlanType, namespace }],
  check: actionChecks(namespace, ...releasePlanActions),
  read: [releasePlans.get(namespace, releasePlan)],
}))

export { ReleasePlanLayout as Component }
function ReleasePlanLayout() {
  const at = page.useParams()
  const { namespace, releasePlan } = at
  const list = paths.releasePlans({ namespace })
  const { actionsOf, dialog } = useActions(releasePlanActions, at, { afterDelete: list })
  return (
    <>
      <DetailLayout
        kind="Release plan"
        name={releasePlan}
        source={useObject(releasePlans.get(namespace, releasePlan))}
        breadcrumbs={[{ label: 'Releases', to: list }, { label: releasePlan }]}
        label={(plan) => <MatchStatus plan={plan} />}
        actions={actionsOf}
        tabs={[
          { label: 'Released now', to: paths.releasePlan(at) },
          { label: 'Releases', to: paths.releasePlanReleases(at) },
          { label: 'Compare', to: paths.releasePlanComparison(at) },
        ]}
      />
      {dialog}
    </>
  )
}
