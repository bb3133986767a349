import { Dropdown, DropdownItem, DropdownList } from '@patternfly/react-core'
import { type ReactNode, type RefObject, useDeferredValue } from 'react'
import { overlayContainer } from '../page/overlay-container'

export interface MenuChoice {
  label: string
  description?: string
  icon?: ReactNode
  /** Chosen already, of a menu that chooses one of several. */
  isSelected?: boolean
  isDanger?: boolean
  /** Why this cannot be chosen now; `false` or absent when it can. */
  disabledReason?: string | false
  onSelect: () => void
}

export interface MenuPopupProps {
  toggle: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Where the menu is drawn; beside the button, unless something there would cut it off. */
  appendTo?: 'inline' | (() => HTMLElement)
  /** Of the menu, where that of the button does not say what is chosen from. */
  menuLabel?: string
  /** A function is called when the menu opens. */
  choices: MenuChoice[] | (() => MenuChoice[])
}

/** The menu of a button that stands by itself, so that it can be drawn, pressed and focused before its menu is here. */
export function MenuPopup({ toggle, isOpen, onOpenChange, appendTo = 'inline', menuLabel, choices }: MenuPopupProps) {
  // A menu finds its place when it opens, not when it is open from the start because the button was pressed early.
  const isDrawnOpen = useDeferredValue(isOpen, false)
  return (
    <Dropdown
      isOpen={isDrawnOpen}
      onOpenChange={onOpenChange}
      onSelect={() => onOpenChange(false)}
      shouldFocusToggleOnSelect
      popperProps={{ position: 'right', appendTo }}
      toggle={{ toggleNode: undefined, toggleRef: toggle }}
    >
      <DropdownList aria-label={menuLabel}>
        {(typeof choices === 'function' ? choices() : choices).map(
          ({ label, description, icon, isSelected, isDanger, disabledReason, onSelect }) => (
            <DropdownItem
              key={label}
              icon={icon}
              description={description}
              isSelected={isSelected}
              isDanger={isDanger}
              // Not `isDisabled`: the reason must be reachable by keyboard.
              isAriaDisabled={Boolean(disabledReason)}
              tooltipProps={
                disabledReason
                  ? { content: disabledReason, position: 'top-end', maxWidth: '14rem', appendTo: overlayContainer }
                  : undefined
              }
              onClick={onSelect}
            >
              {label}
            </DropdownItem>
          ),
        )}
      </DropdownList>
    </Dropdown>
  )
}
