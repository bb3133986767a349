import { TextArea } from '@patternfly/react-core'
import { Field } from './Field'
import type { TextFieldProps } from './TextField'
import { useField } from './use-field'

export type TextAreaFieldProps<Name extends string = string> = Omit<TextFieldProps<Name>, 'isReadOnly'>

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
