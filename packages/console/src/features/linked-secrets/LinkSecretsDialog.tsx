import KeyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-key-icon'
import { systemClock } from '@slipway/kube/clock'
import type { Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { secretTypeText } from '@slipway/model/secrets/secret'
import type { SetStateAction } from 'react'
import * as z from 'zod/mini'
import { objectRows, type RowKind, type Source, useJoined, useList } from '../../api/source'
import { changeLinks, linkWrites } from '../../resources/secret-links'
import { secrets } from '../../resources/secrets'
import { serviceAccounts } from '../../resources/service-accounts'
import { FormDialog } from '../../ui/form/FormDialog'
import { useResourceForm } from '../../ui/form/resource-form'
import { useField } from '../../ui/form/use-field'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { PickTable } from '../../ui/table/PickTable'
import type { RowIds } from '../../ui/table/row-ids'
import type { Column, Filter } from '../../ui/table/rows'
import { findAccount, unlinkedSecrets } from './linked-secrets'

interface LinkSecretsDialogProps {
  namespace: string
  component: string
  onClose: () => void
}

/** The names of the selected secrets. */
const schema = z.object({ selected: z.array(z.string()).check(z.minLength(1)) })

/** Links some of the secrets of the namespace that can be linked to a component and are not. */
export function LinkSecretsDialog({ namespace, component, onClose }: LinkSecretsDialogProps) {
  const accounts = useList(serviceAccounts.links(namespace), 'service accounts')
  const all = useList(secrets.list(namespace), 'secrets')
  const source = useJoined(
    [accounts, all],
    ([accountRows, secretRows]) =>
      accountRows && secretRows && unlinkedSecrets(findAccount(accountRows, component), secretRows),
    secretRowsByName,
  )
  // Another client may have linked or deleted one that is selected.
  const changesOf = (selected: readonly string[]) => ({
    link: (source.rows ?? []).filter((secret) => selected.includes(nameOf(secret))),
  })
  const form = useResourceForm({
    schema,
    defaults: { selected: [] },
    toWrites: ({ selected }) => linkWrites(findAccount(accounts.rows, component), changesOf(selected)),
    perform: (_, { values: { selected } }) => changeLinks(namespace, component, changesOf(selected), systemClock),
    blocked: ({ selected }) => (changesOf(selected).link.length > 0 ? undefined : 'invalid'),
    isConfirmation: true,
    onDone: onClose,
    onCancel: onClose,
  })
  const count = changesOf(form.fields.watch('selected')).link.length
  return (
    <FormDialog
      title={`Link secrets to ${component}`}
      submitLabel={count > 1 ? `Link ${count} Secrets` : 'Link Secrets'}
      // Names that a platform generates differ at their ends only.
      variant="medium"
      invalidReason="Select at least one secret."
      form={form}
      hasFields={source.rows?.length !== 0}
    >
      <SecretPicker source={source} />
    </FormDialog>
  )
}

const secretRowsByName: RowKind<Secret> = { ...objectRows, idOf: nameOf }

function SecretPicker({ source }: { source: Source<Secret> }) {
  const { value, onChange } = useField<string[]>('selected')
  const setSelected = (next: SetStateAction<RowIds>) =>
    onChange([...(typeof next === 'function' ? next(new Set(value)) : next)])
  return (
    // Enter in the filter must not submit the form.
    <div
      onKeyDown={(event) => event.key === 'Enter' && event.target instanceof HTMLInputElement && event.preventDefault()}
    >
      <PickTable
        label="Unlinked secrets"
        source={source}
        columns={columns}
        filters={filters}
        selection={[new Set(value), setSelected]}
        empty={
          <MessagePanel titleText="No Unlinked Secrets" icon={KeyIcon}>
            Every secret of this namespace that can be linked is linked already. Image pull secrets and secrets with a
            user name and password can be linked.
          </MessagePanel>
        }
      />
    </div>
  )
}

const columns: Column<Secret>[] = [
  nameColumn(nameOf),
  { id: 'type', label: 'Secret type', width: 25, sortBy: secretTypeText, cell: secretTypeText },
]

const filters: Filter<Secret>[] = [byName(nameOf)]
