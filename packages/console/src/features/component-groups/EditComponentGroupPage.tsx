import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { type ComponentGroup, componentGroupType } from '@slipway/model/builds/component-group'
import { hasSameDefinition } from '@slipway/model/builds/definition'
import { useQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from 'react-router'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { componentGroups, editComponentGroupPermission } from '../../resources/component-groups'
import { components } from '../../resources/components'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { notFoundError } from '../../resources/not-found'
import { useEditForm } from '../../ui/form/edit-form'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { loadNeeds } from '../../ui/page/needs'
import { route } from '../../ui/page/route'
import {
  type ComponentGroupInput,
  editDefaults,
  editWrites,
  groupErrorFields,
  groupSchema,
} from './component-group-form'
import { ComponentGroupFields } from './ComponentGroupFields'

export const page = route(paths.editComponentGroup)

/** Always fetches the group again, so that the form starts from its current version. */
export async function loader({ params }: LoaderFunctionArgs): Promise<ComponentGroup> {
  const { namespace, componentGroup: name } = page.paramsOf(params)
  await loadNeeds({
    require: editComponentGroupPermission.checks(namespace),
    read: [
      componentGroups.listed(namespace),
      components.versions(namespace),
      integrationTestScenarios.contexts(namespace),
    ],
  })
  const group = await queryClient.fetchQuery({ ...componentGroups.get(namespace, name), staleTime: 0 })
  if (!group.metadata.deletionTimestamp) return group
  throw notFoundError(componentGroupType, { namespace, name }, `The component group ${name} is being deleted.`)
}

const { TextField } = fieldsOf<ComponentGroupInput>()

export { EditComponentGroupPage as Component }
function EditComponentGroupPage() {
  const group = useLoaderData<typeof loader>()
  // Another version needs a new form, as after leaving and returning.
  return <EditForm key={`${uidOf(group)}/${group.metadata.resourceVersion}`} group={group} />
}

const title = 'Edit component group'

/** @param group the version that the form starts from */
function EditForm({ group }: { group: ComponentGroup }) {
  const namespace = namespaceOf(group) ?? ''
  const name = nameOf(group)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const at = { namespace, componentGroup: name }
  const leave = () => navigate(paths.componentGroup(at))
  const all = useQuery(componentGroups.listed(namespace)).data?.items ?? []
  const form = useEditForm({
    noun: 'component group',
    original: group,
    query: componentGroups.get(namespace, name),
    schema: groupSchema(all, false),
    defaults: editDefaults(group),
    toWrites: (version, values) => editWrites(version, group, values),
    isSame: hasSameDefinition,
    onReload: () => void revalidate(),
    isComparable: true,
    errorFields: groupErrorFields,
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage
      title={title}
      description={name}
      breadcrumbs={[
        { label: 'Component groups', to: paths.componentGroups({ namespace }) },
        { label: name, to: paths.componentGroup(at) },
        { label: title },
      ]}
      submitLabel="Save changes"
      form={form}
    >
      <TextField name="name" label="Component group name" isReadOnly />
      <ComponentGroupFields namespace={namespace} group={name} />
    </FormPage>
  )
}
