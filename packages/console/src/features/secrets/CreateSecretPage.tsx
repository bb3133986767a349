import { secretType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { create } from '../../api/writes/writes'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { startLinkTask } from '../../resources/link-tasks'
import { createSecretPermission, secrets } from '../../resources/secrets'
import { FormPage } from '../../ui/form/FormPage'
import { useResourceForm } from '../../ui/form/resource-form'
import { route } from '../../ui/page/route'
import { componentOptions } from '../../parts/secrets/component-options'
import { linkTargetOf, secretDefaults, secretSchema, toSecret, writtenSecret } from '../../parts/secrets/secret-form'
import { SecretFields } from '../../parts/secrets/SecretFields'

export const page = route(paths.createSecret, ({ namespace }) => ({
  require: createSecretPermission.checks(namespace),
  read: [secrets.list(namespace), components.names(namespace)],
}))

export { CreateSecretPage as Component }
function CreateSecretPage() {
  const { namespace } = page.useParams()
  return <CreateSecretForm key={namespace} namespace={namespace} />
}

const takenMessage = () => 'Secret already exists'

function CreateSecretForm({ namespace }: { namespace: string }) {
  const navigate = useNavigate()
  const list = paths.secrets({ namespace })
  const leave = () => navigate(list)
  // If the user may not list secrets, the cluster rejects names that are taken.
  const { data: existing } = useQuery(secrets.list(namespace))
  const choices = useQuery(componentOptions(namespace))
  const form = useResourceForm({
    schema: secretSchema({
      nameError: (name) => (existing?.items.some((secret) => nameOf(secret) === name) ? takenMessage() : undefined),
    }),
    defaults: secretDefaults,
    revalidateOn: { name: existing?.items },
    toWrites: (values) => [create(secretType, toSecret(values, namespace))],
    errorFields: { 'metadata.name': 'name', 'metadata.labels': 'labels' },
    takenMessage,
    onWritten: ([applied], values) => startLinkTask(writtenSecret(values, namespace, applied), linkTargetOf(values)),
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage
      title="Add secret"
      description={`Builds and deployments in ${namespace} can use it.`}
      breadcrumbs={[{ label: 'Secrets', to: list }, { label: 'Add secret' }]}
      submitLabel="Add secret"
      form={form}
    >
      <SecretFields present={existing?.items} components={choices} />
    </FormPage>
  )
}
