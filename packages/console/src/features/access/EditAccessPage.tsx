import type { RoleBinding } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import { grantedRole, usernamesOf } from '@slipway/model/access/user-access'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { editAccessPermission, roleBindings } from '../../resources/role-bindings'
import { loadNeeds } from '../../ui/page/needs'
import { route } from '../../ui/page/route'
import { AccessForm } from './AccessForm'
import { WithRoles } from './WithRoles'

export const page = route(paths.editAccess)

/** Always fetches the binding again, so that the form starts from its current version. */
export async function loader({ params }: LoaderFunctionArgs): Promise<RoleBinding> {
  const { namespace, binding: name } = page.paramsOf(params)
  await loadNeeds({
    require: editAccessPermission.checks(namespace),
    waitFor: [publicInfo.get(), roleBindings.list(namespace)],
  })
  const query = roleBindings.get(namespace, name)
  const binding = await queryClient.fetchQuery({ ...query, staleTime: 0 })
  if (usernamesOf(binding).length > 0) return binding
  throw new ApiError({ code: 404, url: name, message: 'This binding does not give any user access.' })
}

export { EditAccessPage as Component }
function EditAccessPage() {
  const { namespace, binding: name } = page.useParams()
  const binding = useLoaderData<typeof loader>()
  return (
    <WithRoles>
      {(roles) => {
        // The console grants only configured roles, so it does not edit bindings of others, such as the cluster's own.
        if (!grantedRole(roles, binding))
          throw new ApiError({
            code: 404,
            url: name,
            message: "The binding's role is not one of the platform's roles.",
          })
        // Another version needs a new form. React keeps this one if the user leaves and returns before another page is
        // rendered: saving its values with the version loaded last would pass the precondition and undo other changes.
        const { uid, resourceVersion } = binding.metadata
        return <AccessForm key={`${uid}/${resourceVersion}`} namespace={namespace} roles={roles} binding={binding} />
      }}
    </WithRoles>
  )
}
