import {
  Badge,
  MenuSearch,
  MenuSearchInput,
  MenuToggle,
  SearchInput,
  Select,
  SelectList,
  SelectOption,
} from '@patternfly/react-core'
import { useState } from 'react'
import { useOverlayContainer } from '../page/overlay-container'
import type { Choice } from './rows'

/** A list of more items than this can be searched (specification 3, section 9). */
const mostWithoutSearch = 10

/** A menu of thousands of items would take seconds to open. */
const mostShown = 100

interface ChoiceFilterFieldProps {
  toggleId: string
  label: string
  /** Called only while the choices are shown, since counting them takes all rows. */
  choicesOf: () => Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** A group of checkboxes behind a button: each value with the number of rows that have it. */
export function ChoiceFilterField({ toggleId, label, choicesOf, chosen, onChange }: ChoiceFilterFieldProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [part, setPart] = useState('')
  const overlayContainer = useOverlayContainer()
  const choices = isOpen ? choicesOf() : []
  const shown = choices.filter(({ value }) => value.toLowerCase().includes(part.trim().toLowerCase()))
  const open = (next: boolean) => {
    setIsOpen(next)
    setPart('')
  }
  return (
    <Select
      isOpen={isOpen}
      onOpenChange={open}
      onSelect={(_, value) => {
        const picked = String(value)
        onChange(chosen.includes(picked) ? chosen.filter((other) => other !== picked) : [...chosen, picked])
      }}
      role="menu"
      isScrollable
      maxMenuHeight="24rem"
      popperProps={{ appendTo: overlayContainer, preventOverflow: true }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          id={toggleId}
          isExpanded={isOpen}
          onClick={() => open(!isOpen)}
          badge={chosen.length > 0 && <Badge screenReaderText="selected">{chosen.length}</Badge>}
        >
          {label}
        </MenuToggle>
      )}
    >
      {choices.length > mostWithoutSearch && (
        <MenuSearch>
          <MenuSearchInput>
            <SearchInput
              aria-label={`Find a value of ${label}`}
              value={part}
              onChange={(_, text) => setPart(text)}
              onClear={() => setPart('')}
            />
          </MenuSearchInput>
        </MenuSearch>
      )}
      <SelectList aria-label={label}>
        {shown.slice(0, mostShown).map(({ value, count }) => (
          <SelectOption key={value} value={value} hasCheckbox isSelected={chosen.includes(value)}>
            {value} <Badge isRead>{count.toLocaleString('en-US')}</Badge>
          </SelectOption>
        ))}
        {shown.length > mostShown && (
          <SelectOption isAriaDisabled>
            {`${(shown.length - mostShown).toLocaleString('en-US')} more: type a part to find them`}
          </SelectOption>
        )}
        {shown.length === 0 && <SelectOption isAriaDisabled>No values match</SelectOption>}
      </SelectList>
    </Select>
  )
}
