import { Field, type FieldProps } from './Field'
import { OptionMenu } from './OptionMenu'
import { labelOf, type OptionProps, optionState } from './options'
import { RetryOptions, withLoadError } from './RetryOptions'
import { useField } from './use-field'

export interface SelectFieldProps<Name extends string = string> extends FieldProps<Name>, OptionProps {
  placeholder?: string
}

/** One value from a list. */
export function SelectField({ name, options, fixedOptions, placeholder = 'Select…', ...shell }: SelectFieldProps) {
  const state = optionState({ options, fixedOptions })
  const field = withLoadError(useField<string | undefined>(name), shell.label, state)
  const { value } = field
  const selected = state.options.find((option) => option.value === value)
  return (
    <Field field={field} {...shell} action={<RetryOptions state={state} />}>
      <OptionMenu
        field={field}
        label={shell.label}
        state={state}
        selected={value ? [value] : []}
        toggleText={selected ? labelOf(selected) : value || placeholder}
        onSelect={field.onChange}
      />
    </Field>
  )
}
