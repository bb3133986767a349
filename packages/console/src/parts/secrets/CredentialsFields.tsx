import { parsePastedCredentials } from '@slipway/model/secrets/pasted-credentials'
import { normalizeRegistry } from '@slipway/model/secrets/registry-config'
import { type ClipboardEvent, useEffect, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { fieldsOf } from '../../ui/form/fields'
import { useNow } from '../../ui/text/now'
import { emptyCredentials, type SecretInput } from './secret-form'
import { expiredText } from './token-warning'

const { FieldRows, TextField, PasswordField } = fieldsOf<Pick<SecretInput, 'credentials'>>()

/** Says so if a registry is not stored as it was typed; `undefined` if it is. */
function storedAsText(typed = ''): string | undefined {
  const stored = normalizeRegistry(typed)
  return stored && stored !== typed.trim() ? `Stored as ${stored}, which tools look up.` : undefined
}

/** Credentials of several registries. Text that contains all of them can be pasted into any field. */
export function CredentialsFields() {
  const { getValues, setValue, setFocus, trigger } = useFormContext<Pick<SecretInput, 'credentials'>>()
  const credentials = useWatch<Pick<SecretInput, 'credentials'>, 'credentials'>({ name: 'credentials' })
  const now = useNow(60_000)
  const [pasted, setPasted] = useState<{ row: number; count: number }>()

  // Rows that were inserted replace the element with the focus.
  useEffect(() => {
    if (pasted) setFocus(`credentials.${pasted.row}.registry`)
  }, [pasted, setFocus])

  const onPaste = (event: ClipboardEvent) => {
    const [, row] = /^credentials\.(\d+)\./.exec((event.target as HTMLInputElement).name) ?? []
    const found = parsePastedCredentials(event.clipboardData.getData('text'))
    if (row === undefined || found.length === 0) return
    event.preventDefault()
    setValue('credentials', getValues('credentials').toSpliced(Number(row), 1, ...found), { shouldDirty: true })
    setPasted({ row: Number(row), count: found.length })
    void trigger('credentials')
  }
  return (
    <div onPaste={onPaste}>
      <FieldRows
        name="credentials"
        label="Image registry credentials"
        description="Paste a docker login command, a config.json file or the secret of a robot account into any field to fill in all of them."
        noun="credentials"
        addLabel="Add another credentials"
        newRow={() => emptyCredentials}
        minRows={1}
        isOrderFixed
      >
        {(index) => (
          <>
            <TextField
              name={`credentials.${index}.registry`}
              label="Registry"
              placeholder="quay.io"
              description={storedAsText(credentials[index]?.registry)}
              isRequired
            />
            <TextField name={`credentials.${index}.username`} label="Username" isRequired />
            <PasswordField
              name={`credentials.${index}.password`}
              label="Password"
              warning={expiredText(credentials[index]?.password, now)}
              isRequired
            />
            <TextField name={`credentials.${index}.email`} label="Email" />
          </>
        )}
      </FieldRows>
      <span role="status" className="pf-v6-screen-reader">
        {pasted && `Filled in from the pasted text: ${pasted.count} ${pasted.count === 1 ? 'registry' : 'registries'}`}
      </span>
    </div>
  )
}
