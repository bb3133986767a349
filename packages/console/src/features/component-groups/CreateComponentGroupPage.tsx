import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '../../paths'
import { componentGroups, createComponentGroupPermission } from '../../resources/component-groups'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { route } from '../../ui/page/route'
import {
  type ComponentGroupInput,
  createWrites,
  emptyComponentGroup,
  groupErrorFields,
  groupSchema,
  nameTaken,
} from './component-group-form'
import { ComponentGroupFields } from './ComponentGroupFields'

export const page = route(paths.createComponentGroup, ({ namespace }) => ({
  require: createComponentGroupPermission.checks(namespace),
  // The names that are taken and the groups that would form a cycle, for early feedback, and suggestions.
  read: [
    componentGroups.listed(namespace),
    components.versions(namespace),
    integrationTestScenarios.contexts(namespace),
  ],
}))

const { TextField } = fieldsOf<ComponentGroupInput>()

export { CreateComponentGroupPage as Component }
function CreateComponentGroupPage() {
  const { namespace } = page.useParams()
  // Another namespace has other components.
  return <CreateForm key={namespace} namespace={namespace} />
}

const title = 'Create component group'

function CreateForm({ namespace }: { namespace: string }) {
  const navigate = useNavigate()
  const list = paths.componentGroups({ namespace })
  const all = useQuery(componentGroups.listed(namespace)).data?.items ?? []
  const form = useResourceForm({
    schema: groupSchema(all, true),
    defaults: emptyComponentGroup,
    toWrites: (values) => createWrites(namespace, values),
    errorFields: groupErrorFields,
    takenMessage: () => nameTaken,
    onDone: () => navigate(list),
    onCancel: () => navigate(list),
  })
  return (
    <FormPage
      title={title}
      description="Versions of components that are tested and released together."
      breadcrumbs={[{ label: 'Component groups', to: list }, { label: title }]}
      submitLabel={title}
      form={form}
    >
      <TextField name="name" label="Component group name" isRequired />
      <ComponentGroupFields namespace={namespace} />
    </FormPage>
  )
}
