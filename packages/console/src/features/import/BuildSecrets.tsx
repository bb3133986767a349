import { Button, List, ListItem } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { secretTypeText } from '@slipway/model/secrets/secret'
import { useId, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useDisabledReason } from '../../api/access/use-access'
import { addSecretPermission } from '../../resources/secrets'
import { ActionButton } from '../../ui/actions/ActionButton'
import { useConfidential } from '../../ui/form/confidential'
import { Field } from '../../ui/form/Field'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import type { AddedSecret } from '../../parts/secrets/NewSecretDialog'
import { toSecret } from '../../parts/secrets/secret-form'
import type { ImportInput } from './import-form'

// Loaded on demand: most imports need no secret.
const NewSecretDialog = lazyComponent(() => import('../../parts/secrets/NewSecretDialog'), 'NewSecretDialog', {
  Missing: ChunkLoadAlert,
})

interface BuildSecretsProps {
  namespace: string
  /** Names of the secrets that an earlier attempt has created, which stay. */
  created: readonly string[]
}

/** The secrets that the builds of the new component will use. */
export function BuildSecrets({ namespace, created }: BuildSecretsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { setValue } = useFormContext<ImportInput>()
  const secrets = useWatch<ImportInput, 'secrets'>({ name: 'secrets' })
  const [isAdding, setIsAdding] = useState(false)
  useConfidential(secrets.some(({ isNew }) => isNew))
  const denial = useDisabledReason(addSecretPermission, namespace)
  const change = (next: AddedSecret[]) => setValue('secrets', next, { shouldDirty: true, shouldValidate: true })
  return (
    <Field
      field={{ id, error: undefined }}
      role="group"
      label="Build-time secrets"
      description="They are created after the component. Those for builds are linked to it where their type allows."
    >
      <div ref={list} tabIndex={-1}>
        {secrets.length > 0 && (
          <List isPlain>
            {secrets.map((secret) => {
              const name = addedName(secret)
              return (
                <ListItem key={name}>
                  {name} ({describe(secret, namespace)}){' '}
                  {!created.includes(name) && (
                    <Button
                      variant="link"
                      isInline
                      aria-label={`Remove secret ${name}`}
                      onClick={() => {
                        change(secrets.filter((each) => each !== secret))
                        // The pressed button disappears with its row.
                        list.current?.focus()
                      }}
                    >
                      Remove
                    </Button>
                  )}
                </ListItem>
              )
            })}
          </List>
        )}
      </div>
      <div>
        <ActionButton variant="secondary" disabledReason={denial} onClick={() => setIsAdding(true)}>
          Add secret
        </ActionButton>
      </div>
      {isAdding && (
        <NewSecretDialog
          namespace={namespace}
          addedNames={secrets.map(addedName)}
          onAdd={(secret) => {
            change([...secrets, secret])
            setIsAdding(false)
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
    </Field>
  )
}

const addedName = (secret: AddedSecret): string => (secret.isNew ? secret.name : nameOf(secret.secret))

const describe = (secret: AddedSecret, namespace: string): string =>
  secret.isNew ? secretTypeText(toSecret(secret.values, namespace)) : 'existing secret'
