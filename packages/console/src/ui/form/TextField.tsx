import { TextInput } from '@patternfly/react-core'
import { Field, type FieldProps } from './Field'
import { pastedText } from './pasted-text'
import { useField } from './use-field'

export interface TextFieldProps<Name extends string = string> extends FieldProps<Name> {
  placeholder?: string
  isReadOnly?: boolean
  /** Called with text that is pasted in place of the value. @returns whether it has handled the text */
  onPasted?: (text: string) => boolean
  /** Called with the value before the user leaves the field or submits the form with Enter. */
  onEntered?: (text: string) => void
}

/** A line of text. */
export function TextField({ name, placeholder, isReadOnly, onPasted, onEntered, ...shell }: TextFieldProps) {
  const field = useField<string>(name)
  return (
    <Field field={field} {...shell}>
      <TextInput
        {...field.inputProps}
        value={field.value}
        onChange={(_, text) => field.onChange(text)}
        onBlur={() => {
          onEntered?.(field.value)
          field.onBlur()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEntered?.(field.value)
        }}
        onPaste={(event) => {
          const text = pastedText(event)
          if (text !== undefined && onPasted?.(text)) event.preventDefault()
        }}
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
