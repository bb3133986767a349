import { MenuToggle, type MenuToggleProps } from '@patternfly/react-core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { lazyComponent, ChunkLoadAlert } from '../page/lazy-component'
import type { MenuPopupProps } from './MenuPopup'

interface MenuButtonProps extends Pick<MenuPopupProps, 'appendTo' | 'menuLabel' | 'choices'> {
  /** Accessible name of the button; `text` is what it shows. */
  label: string
  icon: ReactNode
  text?: string
  /** Shown on hover, for a button whose icon does not say enough. */
  title?: string
  variant?: MenuToggleProps['variant']
  className?: string
}

const load = () => import('./MenuPopup')
let isFetched = false

/** Once is enough for all buttons, of which a list has dozens. */
function fetchAhead(): void {
  if (isFetched) return
  isFetched = true
  load().catch(() => (isFetched = false)) // reported when the menu is opened
}

const MenuPopup = lazyComponent(load, 'MenuPopup', { Missing: ({ isOpen }) => isOpen && <ChunkLoadAlert /> })

/** A button that opens a menu, and regains the focus after a choice. */
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
  // The menus of a list would cost more than its rows, so each is rendered when its button is hovered or focused.
  const [isNear, setIsNear] = useState(false)
  const approach = () => setIsNear(true)
  // The code of the menu, half of which positions it, is fetched in the meantime.
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
