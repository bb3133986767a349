import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core'
import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { useState } from 'react'
import { insideMain } from './floating'

/** Something that can be done with what is shown. It is always listed; what forbids it is said on it. */
export interface Action {
  label: string
  /** Why this cannot be done now; `false` or absent when it can. */
  disabledReason?: string | false
  onSelect: () => void
  isDanger?: boolean
}

interface ActionMenuProps {
  /** Accessible name of the toggle, such as `Actions for checkout`. */
  label: string
  actions: Action[]
}

export function ActionMenu({ label, actions }: ActionMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      shouldFocusToggleOnSelect
      popperProps={{ position: 'right', appendTo: insideMain }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          aria-label={label}
          icon={<EllipsisIcon />}
          isExpanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      )}
    >
      <DropdownList>
        {actions.map(({ label, disabledReason, onSelect, isDanger }) => (
          <DropdownItem
            key={label}
            isDanger={isDanger}
            // Not `isDisabled`: the reason must be reachable by keyboard.
            isAriaDisabled={Boolean(disabledReason)}
            tooltipProps={
              disabledReason
                ? { content: disabledReason, position: 'top-end', maxWidth: '14rem', appendTo: insideMain }
                : undefined
            }
            onClick={onSelect}
          >
            {label}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  )
}
