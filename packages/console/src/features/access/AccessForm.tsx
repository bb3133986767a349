import { Alert } from '@patternfly/react-core'
import type { RoleBinding } from '@slipway/kube/core-types'
import type { GrantableRole } from '@slipway/model/public-info'
import { accessRoleOf, subjectTexts, usernamesOf } from '@slipway/model/user-access'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { roleBindings } from '../../resources/role-bindings'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { editWrites, grantWrites, othersOf, peopleOf, schema } from './access-form'
import { RoleField } from './RoleField'
import { UsernamesField } from './UsernamesField'

interface AccessFormProps {
  namespace: string
  roles: GrantableRole[]
  /** The binding to be edited; access is granted anew without one. */
  binding?: RoleBinding
}

export function AccessForm({ namespace, roles, binding }: AccessFormProps) {
  const list = paths.access({ namespace })
  // Who may not list them finds out from the cluster that a name is taken.
  const existing = useQuery(roleBindings.list(namespace)).data?.items
  const form = useResourceForm({
    schema,
    defaults: binding
      ? { usernames: usernamesOf(binding), role: accessRoleOf(roles, binding) }
      : { usernames: [], role: undefined },
    toWrites: (values) =>
      binding ? editWrites(binding, values, roles, existing) : grantWrites(namespace, values, roles, existing),
    strategy: binding ? 'all-or-nothing' : 'parallel',
    nameOf: peopleOf,
    done: list,
  })
  const title = binding ? 'Edit access' : 'Grant access'
  const others = binding ? subjectTexts({ ...binding, subjects: othersOf(binding) }) : []
  return (
    <FormPage
      title={title}
      description={`Who may do what in the ${namespace} namespace.`}
      breadcrumbs={[
        { label: 'Namespaces', to: paths.namespaces() },
        { label: namespace, to: paths.applications({ namespace }) },
        { label: 'User access', to: list },
        { label: title },
      ]}
      submitLabel={binding ? 'Save changes' : 'Grant access'}
      form={form}
    >
      <Alert
        isInline
        variant="info"
        component="p"
        title="Usernames are not validated against a server. Check the spelling: a wrong name gives access to nobody, or to somebody else."
      />
      {others.length > 0 && (
        <Alert
          isInline
          variant="info"
          component="p"
          title={`${others.join(', ')} ${others.length === 1 ? 'keeps' : 'keep'} the role that this binding gives now.`}
        />
      )}
      <UsernamesField />
      <RoleField roles={roles} />
    </FormPage>
  )
}
