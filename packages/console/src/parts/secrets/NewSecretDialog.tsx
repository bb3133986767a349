import { nameOf } from '@slipway/kube/object'
import type { Secret } from '@slipway/kube/core-types'
import { isLinkable, secretTypeText } from '@slipway/model/secrets/secret'
import { useQuery } from '@tanstack/react-query'
import { secrets } from '../../resources/secrets'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { componentOptions } from './component-options'
import { secretDefaults, type SecretInput, secretSchema } from './secret-form'
import { SecretFields } from './SecretFields'

/** A secret to create, or one that exists. */
export type AddedSecret = { isNew: true; name: string; values: SecretInput } | { isNew: false; secret: Secret }

interface NewSecretDialogProps {
  namespace: string
  /** Names that the caller has been given before. */
  addedNames: readonly string[]
  /** Called with valid values. They are written later, by the caller. */
  onAdd: (secret: AddedSecret) => void
  onClose: () => void
}

const linkHelp = {
  none: 'Only the new component.',
  all: 'All present and future components of the namespace, and the new one.',
  partial: 'The selected ones, and the new one.',
}

/** Asks for a secret for a new component, which it may be linked to besides others, and writes nothing. */
export function NewSecretDialog({ namespace, addedNames, onAdd, onClose }: NewSecretDialogProps) {
  // If the user may not list secrets, the cluster rejects names that are taken.
  const { data } = useQuery(secrets.list(namespace))
  const components = useQuery(componentOptions(namespace))
  const existing = data?.items ?? []
  const linkable = existing.filter((secret) => isLinkable(secret) && !addedNames.includes(nameOf(secret)))
  const find = (name: string) => linkable.find((secret) => nameOf(secret) === name)
  const form = useResourceForm({
    schema: secretSchema({
      nameError: (name) => {
        if (addedNames.includes(name)) return 'This secret has already been added.'
        const isTaken = existing.some((secret) => nameOf(secret) === name)
        return isTaken && !find(name) ? 'Secret already exists' : undefined
      },
      isExisting: (name) => find(name) !== undefined,
    }),
    defaults: secretDefaults,
    revalidateOn: { name: data?.items },
    onDone: (_, values) => {
      const secret = find(values.name)
      onAdd(secret ? { isNew: false, secret } : { isNew: true, name: values.name, values })
    },
    onCancel: onClose,
  })
  return (
    <FormDialog title="Create new build secret" submitLabel="Add secret" variant="medium" form={form}>
      <SecretFields
        present={data?.items}
        existing={linkable.map((secret) => ({ value: nameOf(secret), description: secretTypeText(secret) }))}
        components={components}
        linkHelp={linkHelp}
      />
    </FormDialog>
  )
}
