import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core'
import DarkIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-dark-mode-icon'
import LightIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-light-mode-icon'
import SystemIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-auto-light-dark-mode-icon'
import { useState } from 'react'
import { type Theme, themes, useTheme } from './theme'

const choices: Record<Theme, { label: string; description?: string; Icon: typeof DarkIcon }> = {
  system: { label: 'System', description: 'Follow system preference', Icon: SystemIcon },
  light: { label: 'Light', Icon: LightIcon },
  dark: { label: 'Dark', Icon: DarkIcon },
}

export function ThemeMenu() {
  const [theme, setTheme] = useTheme()
  const [isOpen, setIsOpen] = useState(false)
  const { Icon, label } = choices[theme]
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      shouldFocusToggleOnSelect
      popperProps={{ position: 'right', appendTo: 'inline' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          aria-label={`Theme: ${label}`}
          icon={<Icon />}
          isExpanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      )}
    >
      <DropdownList aria-label="Theme">
        {themes.map((choice) => {
          const { label, description, Icon } = choices[choice]
          return (
            <DropdownItem
              key={choice}
              icon={<Icon />}
              description={description}
              isSelected={choice === theme}
              onClick={() => setTheme(choice)}
            >
              {label}
            </DropdownItem>
          )
        })}
      </DropdownList>
    </Dropdown>
  )
}
