import {
  MenuSearch,
  MenuSearchInput,
  MenuToggle,
  SearchInput,
  Select,
  SelectList,
  SelectOption,
  Spinner,
} from '@patternfly/react-core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useOverlayContainer } from '../page/overlay-container'
import { helpId, labelId } from './Field'
import { isSearchable, labelOf, matchOptions, type OptionState } from './options'
import { loadErrorTitle } from './RetryOptions'

/** Rendering thousands of options takes seconds. */
const mostRendered = 100

interface OptionMenuProps {
  field: { id: string; error: string | undefined; onBlur: () => void; ref: (element: HTMLElement | null) => void }
  label: string
  state: OptionState
  selected: readonly string[]
  /** Whether the menu stays open to select more. */
  isMultiple?: boolean
  toggleText: string
  onSelect: (value: string) => void
}

/** The button of a select and its menu, which can be searched when it is long. */
export function OptionMenu({ field, label, state, selected, isMultiple, toggleText, onSelect }: OptionMenuProps) {
  const { options, isLoading } = state
  const hasOptions = options.length > 0
  const missing = isLoading ? 'Loading…' : loadErrorTitle(state, label)
  const { id, error } = field
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const menu = useRef<HTMLDivElement>(null)
  const overlayContainer = useOverlayContainer()
  const matches = matchOptions(options, typed)
  const canSearch = isSearchable(options)

  const setOpen = (next: boolean) => {
    setIsOpen(next)
    setTyped('')
    if (!next) field.onBlur()
  }
  const select = (value: string) => {
    onSelect(value)
    if (!isMultiple) setOpen(false)
  }
  const onSearchKeyDown = (event: KeyboardEvent) => {
    const [first] = matches
    if (event.key === 'Enter') {
      // Enter would submit the form.
      event.preventDefault()
      if (first && typed) select(first.value)
    } else if (event.key === 'ArrowDown') {
      event.preventDefault()
      menu.current?.querySelector<HTMLElement>('[role=option]')?.focus()
    }
  }
  return (
    <Select
      ref={menu}
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={(_, value) => select(String(value))}
      shouldFocusToggleOnSelect={!isMultiple}
      shouldFocusFirstItemOnOpen={!canSearch}
      isScrollable
      maxMenuHeight="20rem"
      popperProps={{ width: 'trigger', appendTo: overlayContainer }}
      toggle={(toggle) => (
        <MenuToggle
          id={id}
          ref={(element: HTMLButtonElement | null) => {
            toggle.current = element
            field.ref(element)
          }}
          isFullWidth
          isExpanded={isOpen}
          isDisabled={!hasOptions && isLoading}
          status={error ? 'danger' : undefined}
          icon={isLoading ? <Spinner size="sm" aria-hidden /> : undefined}
          onClick={() => setOpen(!isOpen)}
          aria-haspopup="listbox"
          // The button itself is named by its label alone.
          aria-labelledby={`${labelId(id)} ${id}-value`}
          aria-describedby={helpId(id)}
        >
          <span id={`${id}-value`}>{isLoading && !hasOptions ? 'Loading…' : toggleText}</span>
        </MenuToggle>
      )}
    >
      {canSearch && (
        <MenuSearch>
          <MenuSearchInput>
            <SearchInput
              ref={focusNow}
              aria-label={`Search ${label.toLowerCase()}`}
              value={typed}
              onChange={(_, text) => setTyped(text)}
              onClear={() => setTyped('')}
              onKeyDown={onSearchKeyDown}
            />
          </MenuSearchInput>
        </MenuSearch>
      )}
      <SelectList aria-label={label} isAriaMultiselectable={isMultiple}>
        {matches.slice(0, mostRendered).map((option) => (
          <SelectOption
            key={option.value}
            value={option.value}
            description={option.description}
            isSelected={selected.includes(option.value)}
          >
            {labelOf(option)}
          </SelectOption>
        ))}
        {matches.length > mostRendered && (
          <SelectOption isAriaDisabled>
            {(matches.length - mostRendered).toLocaleString('en-US')} more. Type to find one.
          </SelectOption>
        )}
        {matches.length === 0 && (typed || !missing) && (
          <SelectOption isAriaDisabled>{typed ? `Nothing matches “${typed}”` : 'Nothing to choose from'}</SelectOption>
        )}
        {missing && <SelectOption isAriaDisabled>{missing}</SelectOption>}
      </SelectList>
    </Select>
  )
}

/** Outside the component, so that every render passes one function, which is called once, when the menu opens. */
const focusNow = (element: HTMLInputElement | null) => element?.focus()
