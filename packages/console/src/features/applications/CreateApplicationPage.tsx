import { type Application, applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { resourceName } from '@slipway/model/resource-name'
import { type LoaderFunctionArgs, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { requireAccess } from '../../api/access/access'
import { create, type Write } from '../../api/writes/writes'
import { paths } from '../../paths'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace } = paramsOf(params, 'namespace')
  await Promise.all([
    requireAccess('create', applicationType, namespace),
    requireAccess('create', componentType, namespace),
  ])
  return null
}

const schema = z.object({ name: resourceName })
const { TextField } = fieldsOf<z.input<typeof schema>>()

/** The objects this form creates. */
export const toWrites = (namespace: string, { name }: z.output<typeof schema>): Write[] => [
  create<Application>(applicationType, { metadata: { name, namespace }, spec: { displayName: name } }),
]

export { CreateApplicationPage as Component }
function CreateApplicationPage() {
  const { namespace } = useRequiredParams('namespace')
  const navigate = useNavigate()
  const list = paths.applications({ namespace })
  const leave = () => navigate(list)
  const form = useResourceForm({
    schema,
    defaults: { name: '' },
    toWrites: (values) => toWrites(namespace, values),
    errorFields: { 'metadata.name': 'name', 'spec.displayName': 'name' },
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage
      title="Create an Application"
      description="An application groups the components that are built, tested and released together."
      breadcrumbs={[
        { label: 'Namespaces', to: paths.namespaces() },
        { label: namespace, to: list },
        { label: 'Create an Application' },
      ]}
      submitLabel="Create application"
      form={form}
    >
      <TextField
        name="name"
        label="Application name"
        description="Lowercase letters, numbers and hyphens; at most 45 characters. It cannot be changed later."
        isRequired
      />
    </FormPage>
  )
}
