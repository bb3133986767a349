import {
  Button,
  MenuToggle,
  Select,
  SelectList,
  SelectOption,
  TextInputGroup,
  TextInputGroupMain,
  TextInputGroupUtilities,
} from '@patternfly/react-core'
import ClearIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-close-icon'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useOverlayContainer } from '../page/overlay-container'
import { Field, type FieldProps } from './Field'
import { labelOf, matchOptions, type Option } from './options'
import { useField } from './use-field'

export interface ComboboxFieldProps<Name extends string = string> extends FieldProps<Name> {
  /** Suggestions; any other text can be entered too. */
  options: readonly Option[]
  placeholder?: string
  /** Called with a value that the user enters or selects, once the form has it: other fields may depend on it. */
  onValue?: (value: string) => void
}

/** A line of text with suggestions. */
export function ComboboxField({ name, options, placeholder, onValue, ...shell }: ComboboxFieldProps) {
  const field = useField<string>(name)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  /** Whether all options are shown, as after the button was pressed. */
  const [isComplete, setIsComplete] = useState(false)
  const [activeIndex, setActiveIndex] = useState<number>()
  const overlayContainer = useOverlayContainer()
  const { value, error } = field
  const matches = isComplete ? options : matchOptions(options, value)
  const active = activeIndex === undefined ? undefined : matches[activeIndex]
  const idOf = (option: Option) => `${listId}-${option.value}`

  const close = () => {
    setIsOpen(false)
    setActiveIndex(undefined)
  }
  const open = (all: boolean) => {
    setIsComplete(all)
    setIsOpen(true)
  }
  const enter = (next: string) => {
    field.onChange(next)
    onValue?.(next)
  }
  const select = (next: string) => {
    enter(next)
    close()
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (!isOpen) open(value === '')
      const { length } = matches
      if (length > 0) setActiveIndex(((activeIndex ?? (step > 0 ? -1 : 0)) + step + length) % length)
    } else if (event.key === 'Enter' && isOpen && active) {
      // Enter would submit the form.
      event.preventDefault()
      select(active.value)
    } else if (event.key === 'Escape' || event.key === 'Tab') close()
  }
  return (
    <Field field={field} {...shell}>
      <Select
        variant="typeahead"
        isOpen={isOpen && matches.length > 0}
        onOpenChange={(next) => !next && close()}
        onSelect={(_, next) => select(String(next))}
        shouldFocusFirstItemOnOpen={false}
        popperProps={{ width: 'trigger', appendTo: overlayContainer }}
        toggle={(toggle) => (
          <MenuToggle
            variant="typeahead"
            innerRef={toggle}
            aria-label={`Suggestions for ${shell.label.toLowerCase()}`}
            isFullWidth
            isExpanded={isOpen}
            status={error ? 'danger' : undefined}
            onClick={() => {
              if (isOpen) close()
              else open(true)
              input.current?.focus()
            }}
          >
            <TextInputGroup isPlain>
              <TextInputGroupMain
                inputId={field.id}
                ref={(element: HTMLInputElement | null) => {
                  input.current = element
                  field.ref(element)
                }}
                value={value}
                placeholder={placeholder}
                onChange={(_, text) => {
                  open(false)
                  setActiveIndex(undefined)
                  enter(text)
                }}
                onBlur={field.onBlur}
                role="combobox"
                isExpanded={isOpen && matches.length > 0}
                aria-controls={listId}
                aria-activedescendant={active && idOf(active)}
                aria-label={shell.label}
                inputProps={{
                  onKeyDown,
                  name,
                  required: shell.isRequired,
                  'aria-describedby': field.inputProps['aria-describedby'],
                  'aria-invalid': error !== undefined,
                  autoComplete: 'off',
                  autoCapitalize: 'none',
                  spellCheck: false,
                }}
              />
              {value && (
                <TextInputGroupUtilities>
                  <Button
                    variant="plain"
                    aria-label={`Clear ${shell.label.toLowerCase()}`}
                    icon={<ClearIcon />}
                    onClick={() => select('')}
                  />
                </TextInputGroupUtilities>
              )}
            </TextInputGroup>
          </MenuToggle>
        )}
      >
        <SelectList id={listId} aria-label={shell.label}>
          {matches.map((option, index) => (
            <SelectOption
              key={option.value}
              id={idOf(option)}
              value={option.value}
              description={option.description}
              isFocused={index === activeIndex}
              isSelected={option.value === value}
            >
              {labelOf(option)}
            </SelectOption>
          ))}
        </SelectList>
      </Select>
    </Field>
  )
}
