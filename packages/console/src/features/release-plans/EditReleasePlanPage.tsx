import { Alert } from '@patternfly/react-core'
import { nameOf, namespaceOf, specOf, uidOf } from '@slipway/kube/object'
import { hasSameDefinition } from '@slipway/model/builds/definition'
import { type ReleasePlan, releasePlanType } from '@slipway/model/releases/release-plan'
import { foreignResolver } from '@slipway/model/releases/release-plan-edit'
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useRevalidator } from 'react-router'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { applications } from '../../resources/applications'
import { notFoundError } from '../../resources/not-found'
import { editReleasePlanPermission, releasePlans } from '../../resources/release-plans'
import { useEditForm } from '../../ui/form/edit-form'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { loadNeeds } from '../../ui/page/needs'
import { route } from '../../ui/page/route'
import { ApplicationField } from './ApplicationField'
import { editDefaults, editPlanWrites, editSchema, planErrorFields, type ReleasePlanInput } from './release-plan-form'
import { ReleasePlanFields } from './ReleasePlanFields'

export const page = route(paths.editReleasePlan)

/** Always fetches the plan again, so that the form starts from its current version. */
export async function loader({ params }: LoaderFunctionArgs): Promise<ReleasePlan> {
  const { namespace, releasePlan: name } = page.paramsOf(params)
  await loadNeeds({ require: editReleasePlanPermission.checks(namespace), read: [applications.list(namespace)] })
  const plan = await queryClient.fetchQuery({ ...releasePlans.get(namespace, name), staleTime: 0 })
  if (!plan.metadata.deletionTimestamp) return plan
  throw notFoundError(releasePlanType, { namespace, name }, `The release plan ${name} is being deleted.`)
}

const { TextField } = fieldsOf<ReleasePlanInput>()

export { EditReleasePlanPage as Component }
function EditReleasePlanPage() {
  const plan = useLoaderData<typeof loader>()
  // Another version needs a new form, as after leaving and returning.
  return <EditForm key={`${uidOf(plan)}/${plan.metadata.resourceVersion}`} plan={plan} />
}

const title = 'Edit release plan'

/** @param plan the version that the form starts from */
function EditForm({ plan }: { plan: ReleasePlan }) {
  const namespace = namespaceOf(plan) ?? ''
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const list = paths.releaseArea({ namespace })
  const leave = () => navigate(list)
  const form = useEditForm({
    noun: 'release plan',
    original: plan,
    query: releasePlans.get(namespace, nameOf(plan)),
    schema: editSchema(plan),
    defaults: editDefaults(plan),
    toWrites: (version, values) => editPlanWrites(version, plan, values),
    isSame: hasSameDefinition,
    onReload: () => void revalidate(),
    isComparable: true,
    errorFields: planErrorFields,
    doneMessage: 'Release plan saved.',
    onDone: leave,
    onCancel: leave,
  })
  const resolver = foreignResolver(plan)
  const { application, componentGroup } = specOf(plan)
  return (
    <FormPage
      title={title}
      description={nameOf(plan)}
      breadcrumbs={[{ label: 'Releases', to: list }, { label: title }]}
      submitLabel="Save changes"
      form={form}
    >
      <TextField name="name" label="Release plan name" isReadOnly />
      {componentGroup && !application ? (
        <Alert
          isInline
          isPlain
          variant="info"
          component="p"
          title={`It releases the component group ${componentGroup}.`}
        />
      ) : (
        <ApplicationField namespace={namespace} />
      )}
      <ReleasePlanFields namespace={namespace} resolver={resolver} />
    </FormPage>
  )
}
