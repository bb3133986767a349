import { Alert } from '@patternfly/react-core'
import type { Secret } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { isImagePull, secretTypeText } from '@slipway/model/secrets/secret'
import { componentOf, linkedSecrets } from '@slipway/model/secrets/service-account'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router'
import { asSentence, failureText } from '../../api/messages'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { startLinkTask } from '../../resources/link-tasks'
import { editSecretPermission, secrets } from '../../resources/secrets'
import { serviceAccounts } from '../../resources/service-accounts'
import { useEditForm } from '../../ui/form/edit-form'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import { loadNeeds } from '../../ui/page/needs'
import { route } from '../../ui/page/route'
import { CredentialsFields } from '../../parts/secrets/CredentialsFields'
import { LabelRows } from '../../parts/secrets/LabelRows'
import { componentOptions } from '../../parts/secrets/component-options'
import { LinkFields } from '../../parts/secrets/LinkFields'
import { RepositoryFields } from '../../parts/secrets/RepositoryFields'
import {
  actionsFor,
  editDefaults,
  type EditInput,
  editSchema,
  editWrites,
  hasLinks,
  isSource,
  linkChanges,
  storedKey,
} from './edit-secret-form'

const { FieldRows, SelectField, RadioField, FileField, KeyValuesField } = fieldsOf<EditInput>()

interface Loaded {
  secret: Secret
  /** The components that it is linked to; `undefined` if the service accounts cannot be read. */
  linked: string[] | undefined
  /** Why they cannot be read. */
  linksError?: unknown
}

export const page = route(paths.editSecret)

/** Always fetches the secret again, so that the form starts from its current version. */
export async function loader({ params }: LoaderFunctionArgs): Promise<Loaded> {
  const { namespace, secret: name } = page.paramsOf(params)
  const [accounts] = await Promise.all([
    queryClient.fetchQuery({ ...serviceAccounts.links(namespace), staleTime: 0 }).then(
      ({ items }) => ({ items }),
      (error: unknown) => ({ error }),
    ),
    loadNeeds({ require: editSecretPermission.checks(namespace) }),
  ])
  const secret = await queryClient.fetchQuery({ ...secrets.get(namespace, name), staleTime: 0 })
  if (hasLinks(secret)) void queryClient.prefetchQuery(components.names(namespace))
  if ('error' in accounts) return { secret, linked: undefined, linksError: accounts.error }
  const linked = accounts.items.flatMap((account) =>
    linkedSecrets(account).has(name) ? (componentOf(account) ?? []) : [],
  )
  return { secret, linked }
}

export { EditSecretPage as Component }
function EditSecretPage() {
  const loaded = useLoaderData<typeof loader>()
  const { secret } = loaded
  // Another version needs a new form, as after leaving and returning.
  return <EditSecretForm key={`${uidOf(secret)}/${secret.metadata.resourceVersion}`} {...loaded} />
}

function EditSecretForm({ secret, linked, linksError }: Loaded) {
  const navigate = useNavigate()
  const namespace = namespaceOf(secret) ?? ''
  const name = nameOf(secret)
  const list = paths.secrets({ namespace })
  const leave = () => navigate(list)
  const defaults = editDefaults(secret, linked ?? [])
  const form = useEditForm({
    noun: 'secret',
    changedBy: 'Another user or a link task',
    original: secret,
    query: secrets.get(namespace, name),
    schema: editSchema(secret),
    defaults,
    toWrites: (version, values) => editWrites(version, secret, values),
    errorFields: { 'metadata.labels': 'labels' },
    onWritten: (_, values) => {
      const changes = linked && hasLinks(secret) ? linkChanges(defaults, values, linked) : undefined
      if (changes) startLinkTask(secret, changes.target, { unlink: changes.unlink })
    },
    onDone: leave,
    onCancel: leave,
  })
  return (
    <FormPage
      title="Edit secret"
      description={`${name} · ${secretTypeText(secret)}`}
      breadcrumbs={[{ label: 'Secrets', to: list }, { label: 'Edit secret' }]}
      submitLabel="Save changes"
      form={form}
    >
      {secret.immutable ? (
        <Alert
          isInline
          variant="info"
          component="p"
          title="This secret is immutable, so its values cannot be changed. To change them, delete it and add it again."
        />
      ) : (
        <ValueFields secret={secret} />
      )}
      {isSource(secret) && <RepositoryFields />}
      {hasLinks(secret) && <Links namespace={namespace} isKnown={linked !== undefined} error={linksError} />}
      <LabelRows />
    </FormPage>
  )
}

/** Existing values are never shown: each can be kept, replaced or removed. */
function ValueFields({ secret }: { secret: Secret }) {
  const { getValues } = useFormContext<EditInput>()
  const { imageInput, stored } = useWatch<EditInput>() as EditInput
  if (isImagePull(secret)) {
    return (
      <>
        <RadioField
          name="imageInput"
          label="Credentials"
          description="The stored credentials are not shown."
          options={[
            { value: 'keep', label: 'Keep the stored credentials' },
            { value: 'credentials', label: 'Replace them by image registry credentials' },
            { value: 'file', label: 'Replace them by a configuration file' },
          ]}
        />
        {imageInput === 'credentials' && <CredentialsFields />}
        {imageInput === 'file' && (
          <FileField name="configFile" label="Configuration file" content="text" isConfidential isRequired />
        )}
      </>
    )
  }
  return (
    <>
      {stored.length > 0 && (
        <FieldRows
          name="stored"
          label="Stored keys"
          description="Stored values are not shown."
          noun="key"
          newRow={() => storedKey('')}
          areRowsFixed
        >
          {(index) => {
            const key = getValues(`stored.${index}.key`)
            return (
              <>
                <SelectField name={`stored.${index}.action`} label={key} options={actionsFor(secret, key)} />
                {stored[index]?.action === 'replace' && (
                  <FileField name={`stored.${index}.value`} label="New value" content="any" isConfidential isRequired />
                )}
              </>
            )
          }}
        </FieldRows>
      )}
      {!isSource(secret) && <KeyValuesField name="added" label="New keys" isConfidential />}
    </>
  )
}

interface LinksProps {
  namespace: string
  /** Whether it is known what the secret is linked to; if not, why. */
  isKnown: boolean
  error: unknown
}

function Links({ namespace, isKnown, error }: LinksProps) {
  const options = useQuery(componentOptions(namespace))
  const option = useWatch<EditInput, 'linkOption'>({ name: 'linkOption' })
  if (isKnown) return <LinkFields option={option} components={options} />
  return (
    <Alert
      isInline
      variant="warning"
      component="p"
      title="Links to components cannot be edited, since the service accounts could not be loaded"
    >
      {asSentence(failureText(error))} Reload the page to try again.
    </Alert>
  )
}
