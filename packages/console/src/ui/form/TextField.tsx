import { TextInput } from '@patternfly/react-core'
import { Field, type FieldProps } from './Field'
import { useField } from './use-field'

export interface TextFieldProps<Name extends string = string> extends FieldProps<Name> {
  placeholder?: string
  isReadOnly?: boolean
}

/** A line of text. */
export function TextField({ name, placeholder, isReadOnly, ...shell }: TextFieldProps) {
  const field = useField<string>(name)
  return (
    <Field field={field} {...shell}>
      <TextInput
        {...field.inputProps}
        value={field.value}
        onChange={(_, text) => field.onChange(text)}
        isRequired={shell.isRequired}
        validated={field.error ? 'error' : 'default'}
        placeholder={placeholder}
        readOnlyVariant={isReadOnly ? 'default' : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </Field>
  )
}
