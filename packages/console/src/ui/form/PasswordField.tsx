import { Button, InputGroup, InputGroupItem, TextInput } from '@patternfly/react-core'
import ViewIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-view-icon'
import ViewOffIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-view-off-icon'
import { useState } from 'react'
import { useConfidential } from './confidential'
import { Field, type FieldProps } from './Field'
import { useField } from './use-field'

/** A password or token, hidden until the user reveals it. Browsers do not suggest one. */
export function PasswordField({ name, ...shell }: FieldProps) {
  const field = useField<string>(name)
  useConfidential(true)
  const [isShown, setIsShown] = useState(false)
  const action = `${isShown ? 'Hide' : 'Show'} ${shell.label.toLowerCase()}`
  return (
    <Field field={field} {...shell}>
      <InputGroup>
        <InputGroupItem isFill>
          <TextInput
            {...field.inputProps}
            type={isShown ? 'text' : 'password'}
            value={field.value}
            onChange={(_, text) => field.onChange(text)}
            isRequired={shell.isRequired}
            validated={field.error ? 'error' : 'default'}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
          />
        </InputGroupItem>
        <InputGroupItem>
          <Button
            variant="control"
            aria-label={action}
            icon={isShown ? <ViewOffIcon /> : <ViewIcon />}
            onClick={() => setIsShown(!isShown)}
          />
        </InputGroupItem>
      </InputGroup>
    </Field>
  )
}
