import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../../ui/form/fields'
import { useNow } from '../../ui/text/now'
import { RepositoryFields } from './RepositoryFields'
import type { SecretInput } from './secret-form'
import { expiredText } from './token-warning'

const { RadioField, TextField, PasswordField, FileField } = fieldsOf<SecretInput>()

/** Credentials of a git host, and what they apply to. */
export function SourceFields({ input }: { input: SecretInput['sourceInput'] }) {
  const password = useWatch<SecretInput, 'password'>({ name: 'password' })
  const now = useNow(60_000)
  return (
    <>
      <RadioField
        name="sourceInput"
        label="Authentication type"
        options={[
          { value: 'basic', label: 'Basic authentication' },
          { value: 'ssh', label: 'SSH key' },
        ]}
      />
      {input === 'basic' ? (
        <>
          <TextField name="username" label="Username" isRequired />
          <PasswordField
            name="password"
            label="Password"
            description="An access token, if the git host has them."
            warning={expiredText(password, now)}
            isRequired
          />
        </>
      ) : (
        <FileField
          name="privateKey"
          label="Private key"
          description="The complete file."
          content="text"
          isConfidential
          isRequired
        />
      )}
      <RepositoryFields />
    </>
  )
}
