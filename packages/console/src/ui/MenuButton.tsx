import { MenuToggle, type MenuToggleProps } from '@patternfly/react-core'
import { type ReactNode, useRef, useState } from 'react'
import { lazyPart, MissingPart } from './lazy-part'
import type { MenuOfButtonProps } from './MenuOfButton'

interface MenuButtonProps extends Pick<MenuOfButtonProps, 'appendTo' | 'menuLabel' | 'choices'> {
  /** Accessible name of the button; shown too as `text` says. */
  label: string
  icon: ReactNode
  text?: string
  variant?: MenuToggleProps['variant']
  className?: string
}

// The button is drawn at once; what a menu takes (the half of it to find its place) is fetched meanwhile.
const MenuOfButton = lazyPart<MenuOfButtonProps>(() => import('./MenuOfButton').then((module) => module.MenuOfButton), {
  Missing: ({ isOpen }) => isOpen && <MissingPart />,
})

/** A button that opens a menu, and has the focus again when something in it has been chosen. */
export function MenuButton({
  label,
  icon,
  text,
  variant = 'plain',
  className,
  appendTo,
  menuLabel,
  choices,
}: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  return (
    <>
      <MenuToggle
        ref={toggle}
        variant={variant}
        aria-label={label}
        icon={icon}
        isExpanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className={className}
      >
        {text}
      </MenuToggle>
      <MenuOfButton
        toggle={toggle}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        appendTo={appendTo}
        menuLabel={menuLabel}
        choices={choices}
      />
    </>
  )
}
