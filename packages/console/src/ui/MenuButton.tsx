import { Dropdown, DropdownList, MenuToggle, type MenuToggleProps } from '@patternfly/react-core'
import { type ReactNode, useState } from 'react'

interface MenuButtonProps {
  /** Accessible name of the button; shown too as `text` says. */
  label: string
  icon: ReactNode
  text?: string
  variant?: MenuToggleProps['variant']
  className?: string
  /** Where the menu is drawn; beside the button, unless something there would cut it off. */
  appendTo?: 'inline' | (() => HTMLElement)
  /** Of the menu, where that of the button does not say what is chosen from. */
  menuLabel?: string
  /** `DropdownItem`s. */
  children: ReactNode
}

/** A button that opens a menu, and has the focus again when something in it has been chosen. */
export function MenuButton({
  label,
  icon,
  text,
  variant = 'plain',
  className,
  appendTo = 'inline',
  menuLabel,
  children,
}: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      shouldFocusToggleOnSelect
      popperProps={{ position: 'right', appendTo }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant={variant}
          aria-label={label}
          icon={icon}
          isExpanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className={className}
        >
          {text}
        </MenuToggle>
      )}
    >
      <DropdownList aria-label={menuLabel}>{children}</DropdownList>
    </Dropdown>
  )
}
