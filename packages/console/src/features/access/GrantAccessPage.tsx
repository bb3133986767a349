import { publicInfo } from '../../resources/public-info'
import { grantAccessPermission, roleBindings } from '../../resources/role-bindings'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { AccessForm } from './AccessForm'
import { WithRoles } from './WithRoles'

export const loader = createLoader(['namespace'], ({ namespace }) => ({
  require: grantAccessPermission.checks(namespace),
  waitFor: [publicInfo.get(), roleBindings.list(namespace)],
}))

export { GrantAccessPage as Component }
function GrantAccessPage() {
  const { namespace } = useRequiredParams('namespace')
  return <WithRoles>{(roles) => <AccessForm key={namespace} namespace={namespace} roles={roles} />}</WithRoles>
}
