import { TextArea } from '@patternfly/react-core'
import { Field, type FieldProps } from './Field'
import { useField } from './use-field'

export interface TextAreaFieldProps<Name extends string = string> extends FieldProps<Name> {
  placeholder?: string
}

/** Several lines of text. */
export function TextAreaField({ name, placeholder, ...shell }: TextAreaFieldProps) {
  const field = useField<string>(name)
  return (
    <Field field={field} {...shell}>
      <TextArea
        {...field.inputProps}
        value={field.value}
        onChange={(_, text) => field.onChange(text)}
        isRequired={shell.isRequired}
        validated={field.error ? 'error' : 'default'}
        placeholder={placeholder}
        rows={4}
        resizeOrientation="vertical"
      />
    </Field>
  )
}
