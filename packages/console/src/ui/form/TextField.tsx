import { FormGroup, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'
import { useController } from 'react-hook-form'

interface TextFieldProps {
  /** Of the value in the form. */
  name: string
  label: string
  /** Shown until there is something wrong to say. */
  description?: ReactNode
  isRequired?: boolean
}

/** A line of text in a `FormPage`. Its rules and messages are those of the form's schema. */
export function TextField({ name, label, description, isRequired }: TextFieldProps) {
  const id = useId()
  const { field, fieldState } = useController<Record<string, string>>({ name })
  const problem = fieldState.error?.message
  return (
    <FormGroup fieldId={id} label={label} isRequired={isRequired}>
      <TextInput
        id={id}
        {...field}
        isRequired={isRequired}
        validated={problem ? 'error' : 'default'}
        aria-describedby={`${id}-help`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <FormHelperText>
        <HelperText id={`${id}-help`} isLiveRegion>
          {(problem ?? description) && (
            <HelperTextItem variant={problem ? 'error' : 'default'}>{problem ?? description}</HelperTextItem>
          )}
        </HelperText>
      </FormHelperText>
    </FormGroup>
  )
}
