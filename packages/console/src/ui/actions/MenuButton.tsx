import { MenuToggle, type MenuToggleProps } from '@patternfly/react-core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { lazyComponent, ChunkLoadAlert } from '../page/lazy-component'
import type { MenuPopupProps } from './MenuPopup'

interface MenuButtonProps extends Pick<MenuPopupProps, 'appendTo' | 'menuLabel' | 'choices'> {
  /** Accessible name of the button; shown too as `text` says. */
  label: string
  icon: ReactNode
  text?: string
  /** Shown when the button is pointed at, where its icon alone does not say enough. */
  title?: string
  variant?: MenuToggleProps['variant']
  className?: string
}

const load = () => import('./MenuPopup')
let isFetched = false

/** Once is enough for all buttons: a list makes them by the dozen. */
function fetchAhead(): void {
  if (isFetched) return
  isFetched = true
  load().catch(() => (isFetched = false)) // said when the menu is asked for
}

const MenuPopup = lazyComponent(load, 'MenuPopup', { Missing: ({ isOpen }) => isOpen && <ChunkLoadAlert /> })

/** A button that opens a menu, and has the focus again when something in it has been chosen. */
export function MenuButton({
  label,
  icon,
  text,
  title,
  variant = 'plain',
  className,
  appendTo,
  menuLabel,
  choices,
}: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  // The menus of a list's rows would be more work than the rest of it: each is made when somebody comes to its button.
  const [isNear, setIsNear] = useState(false)
  const approach = () => setIsNear(true)
  // What a menu takes (the half of it to find its place) is fetched meanwhile.
  useEffect(fetchAhead, [])
  return (
    <>
      <MenuToggle
        ref={toggle}
        variant={variant}
        aria-label={label}
        title={title}
        icon={icon}
        isExpanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        onPointerEnter={approach}
        onFocus={approach}
        className={className}
      >
        {text}
      </MenuToggle>
      {(isNear || isOpen) && (
        <MenuPopup
          toggle={toggle}
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          appendTo={appendTo}
          menuLabel={menuLabel}
          choices={choices}
        />
      )}
    </>
  )
}
