import { Alert } from '@patternfly/react-core'
import type { RoleBinding } from '@slipway/kube/core-types'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { accessRoleOf, subjectTexts, usernamesOf } from '@slipway/model/access/user-access'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { allOrNothing } from '../../api/writes/all-or-nothing'
import { inParallel } from '../../api/writes/perform-writes'
import { paths } from '../../paths'
import { roleBindings } from '../../resources/role-bindings'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { type AccessInput, editWrites, grantWrites, offeredRoles, othersOf, peopleOf, schema } from './access-form'
import { UsernamesField } from './UsernamesField'

const { RadioField } = fieldsOf<AccessInput>()

interface AccessFormProps {
  namespace: string
  roles: GrantableRole[]
  /** The binding to edit; absent when granting new access. */
  binding?: RoleBinding
}

export function AccessForm({ namespace, roles, binding }: AccessFormProps) {
  const navigate = useNavigate()
  const list = paths.access({ namespace })
  const leave = () => navigate(list)
  // If the user may not list bindings, the cluster rejects names that are already taken.
  const existing = useQuery(roleBindings.list(namespace)).data?.items
  const form = useResourceForm({
    schema,
    defaults: binding
      ? { usernames: usernamesOf(binding), role: accessRoleOf(roles, binding) }
      : { usernames: [], role: undefined },
    toWrites: (values) =>
      binding ? editWrites(binding, values, roles, existing) : grantWrites(namespace, values, roles, existing),
    perform: binding ? allOrNothing : inParallel,
    nameOf: peopleOf,
    doneMessage: ({ usernames }) => `Access ${binding ? 'changed' : 'granted'}: ${usernames.join(', ')}.`,
    onDone: leave,
    onCancel: leave,
  })
  const offered = offeredRoles(roles)
  const title = binding ? 'Edit access' : 'Grant access'
  const others = binding ? subjectTexts({ ...binding, subjects: othersOf(binding) }) : []
  return (
    <FormPage
      title={title}
      description={`Give people a role in ${namespace}.`}
      breadcrumbs={[{ label: 'User access', to: list }, { label: title }]}
      submitLabel={binding ? 'Save changes' : 'Grant access'}
      form={form}
    >
      <Alert
        isInline
        variant="info"
        component="p"
        title="Usernames are not validated against a server. A typo may grant access to the wrong person."
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
      <RadioField
        name="role"
        label="Role"
        isRequired
        options={offered}
        description={offered.length === 0 ? 'No roles are configured on this platform.' : undefined}
      />
    </FormPage>
  )
}
