import { roleBindingType } from '@slipway/kube/core-types'
import type { LoaderFunctionArgs } from 'react-router'
import { requireAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { publicInfo } from '../../resources/public-info'
import { roleBindings } from '../../resources/role-bindings'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { AccessForm } from './AccessForm'
import { WithRoles } from './WithRoles'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace } = paramsOf(params, 'namespace')
  await Promise.all([
    requireAccess('create', roleBindingType, namespace),
    // Its failure is told by the page.
    queryClient.prefetchQuery(publicInfo.get()),
    queryClient.prefetchQuery(roleBindings.list(namespace)),
  ])
  return null
}

export { GrantAccessPage as Component }
function GrantAccessPage() {
  const { namespace } = useRequiredParams('namespace')
  return <WithRoles>{(roles) => <AccessForm key={namespace} namespace={namespace} roles={roles} />}</WithRoles>
}
