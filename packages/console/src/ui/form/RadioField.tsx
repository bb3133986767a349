import { Radio } from '@patternfly/react-core'
import { Field, helpId, type FieldProps } from './Field'
import { labelOf, type Option } from './options'
import { useField } from './use-field'

export interface RadioFieldProps<Name extends string = string, Value extends string = string> extends FieldProps<Name> {
  options: readonly Option<Value>[]
  /** Called with a value that the user selects, once the form has it: other fields may depend on it. */
  onSelect?: (value: Value) => void
}

/** One of a few values, all of them visible. */
export function RadioField({ name, options, onSelect, ...shell }: RadioFieldProps) {
  const field = useField<string | undefined>(name)
  return (
    <Field field={field} role="radiogroup" {...shell}>
      {options.map((option, index) => (
        <Radio
          key={option.value}
          id={`${field.id}-${option.value}`}
          name={name}
          // Focused when the field is the first invalid one.
          ref={index === 0 ? field.ref : undefined}
          label={labelOf(option)}
          description={option.description}
          isChecked={field.value === option.value}
          onChange={() => {
            field.onChange(option.value)
            onSelect?.(option.value)
          }}
          onBlur={field.onBlur}
          isValid={!field.error}
          aria-describedby={helpId(field.id)}
        />
      ))}
    </Field>
  )
}
