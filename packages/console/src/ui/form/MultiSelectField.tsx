import { Label, LabelGroup } from '@patternfly/react-core'
import { Field, type FieldProps } from './Field'
import { OptionMenu } from './OptionMenu'
import { labelOf, type OptionProps, optionState } from './options'
import { RetryOptions, withLoadError } from './RetryOptions'
import { useField } from './use-field'

export interface MultiSelectFieldProps<Name extends string = string> extends FieldProps<Name>, OptionProps {
  placeholder?: string
  /** Values that are in this order, in front of others, whenever they are selected. */
  storedOrder?: readonly string[]
}

/** Several values from a list, by default in the order in which they were selected. */
export function MultiSelectField({
  name,
  options,
  fixedOptions,
  optionsNoun,
  placeholder = 'Select…',
  storedOrder = [],
  ...shell
}: MultiSelectFieldProps) {
  const state = optionState({ options, fixedOptions, optionsNoun })
  const field = withLoadError(useField<string[]>(name), shell.label, state)
  const { id, value: selected, onChange } = field
  const toggle = (value: string) =>
    onChange(
      selected.includes(value)
        ? selected.filter((each) => each !== value)
        : [
            ...storedOrder.filter((each) => each === value || selected.includes(each)),
            ...[...selected, value].filter((each) => !storedOrder.includes(each)),
          ],
    )
  const nameOf = (value: string) => {
    const option = state.options.find((each) => each.value === value)
    return option ? labelOf(option) : value
  }
  return (
    <Field field={field} {...shell} action={<RetryOptions state={state} />}>
      <OptionMenu
        field={field}
        label={shell.label}
        state={state}
        selected={selected}
        isMultiple
        toggleText={selected.length > 0 ? `${selected.length} selected` : placeholder}
        onSelect={toggle}
      />
      {selected.length > 0 && (
        <LabelGroup
          aria-label={`Selected ${shell.label.toLowerCase()}`}
          numLabels={selected.length}
          className="slipway-field__labels"
        >
          {selected.map((value) => (
            <Label
              key={value}
              variant="outline"
              closeBtnAriaLabel={`Remove ${nameOf(value)}`}
              onClose={() => {
                toggle(value)
                // The pressed button disappears with its label.
                document.getElementById(id)?.focus()
              }}
            >
              {nameOf(value)}
            </Label>
          ))}
        </LabelGroup>
      )}
    </Field>
  )
}
