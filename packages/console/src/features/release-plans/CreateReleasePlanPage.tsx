import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'
import { createReleasePlanPermission, releasePlans } from '../../resources/release-plans'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { route } from '../../ui/page/route'
import { ApplicationField } from './ApplicationField'
import {
  createSchema,
  createWrites,
  emptyReleasePlan,
  nameTaken,
  planErrorFields,
  type ReleasePlanInput,
} from './release-plan-form'
import { ReleasePlanFields } from './ReleasePlanFields'

export const page = route(paths.createReleasePlan, ({ namespace }) => ({
  require: createReleasePlanPermission.checks(namespace),
  // The names that are taken, for early feedback.
  read: [releasePlans.listed(namespace), applications.list(namespace)],
}))

const { TextField } = fieldsOf<ReleasePlanInput>()

export { CreateReleasePlanPage as Component }
function CreateReleasePlanPage() {
  const { namespace } = page.useParams()
  // Another namespace has other applications.
  return <CreateForm key={namespace} namespace={namespace} />
}

const title = 'Create release plan'

function CreateForm({ namespace }: { namespace: string }) {
  const navigate = useNavigate()
  const list = paths.releaseArea({ namespace })
  const leave = () => navigate(list)
  const taken = useQuery(releasePlans.listed(namespace)).data?.items.map(nameOf) ?? []
  const form = useResourceForm({
    schema: createSchema(taken),
    defaults: emptyReleasePlan,
    toWrites: (values) => createWrites(namespace, values),
    errorFields: planErrorFields,
    takenMessage: () => nameTaken,
    doneMessage: 'Release plan created.',
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage
      title={title}
      description="Where the snapshots of an application are released to, and by which pipeline."
      breadcrumbs={[{ label: 'Releases', to: list }, { label: title }]}
      submitLabel={title}
      form={form}
    >
      <TextField name="name" label="Release plan name" isRequired />
      <ApplicationField namespace={namespace} />
      <ReleasePlanFields namespace={namespace} />
    </FormPage>
  )
}
