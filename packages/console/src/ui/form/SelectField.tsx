import { Field, type FieldProps } from './Field'
import { OptionMenu } from './OptionMenu'
import { labelOf, type OptionProps, optionState } from './options'
import { RetryOptions, withLoadError } from './RetryOptions'
import { useField } from './use-field'

export interface SelectFieldProps<Name extends string = string> extends FieldProps<Name>, OptionProps {
  placeholder?: string
  /** Called with a value that the user selects, once the form has it: other fields may depend on it. */
  onValue?: (value: string) => void
}

/** One value from a list. */
export function SelectField({
  name,
  options,
  fixedOptions,
  optionsNoun,
  placeholder = 'Select…',
  onValue,
  ...shell
}: SelectFieldProps) {
  const state = optionState({ options, fixedOptions, optionsNoun })
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
        onSelect={(next) => {
          field.onChange(next)
          onValue?.(next)
        }}
      />
    </Field>
  )
}
