import { publicInfo } from '../../resources/public-info'
import { paths } from '../../paths'
import { grantAccessPermission, roleBindings } from '../../resources/role-bindings'
import { route } from '../../ui/page/route'
import { AccessForm } from './AccessForm'
import { WithRoles } from './WithRoles'

export const page = route(paths.grantAccess, ({ namespace }) => ({
  require: grantAccessPermission.checks(namespace),
  waitFor: [publicInfo.get(), roleBindings.list(namespace)],
}))

export { GrantAccessPage as Component }
function GrantAccessPage() {
  const { namespace } = page.useParams()
  return <WithRoles>{(roles) => <AccessForm key={namespace} namespace={namespace} roles={roles} />}</WithRoles>
}
