import '@patternfly/react-styles/css/components/MenuToggle/menu-toggle.css'
import CaretIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-caret-down-fill-icon'
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
  variant?: keyof typeof modifiers
  className?: string
}

const modifiers = { plain: ' pf-m-plain', plainText: ' pf-m-plain pf-m-text', default: '' }

const MenuPopup = lazyComponent(() => import('./MenuPopup'), 'MenuPopup', {
  Missing: ({ isOpen }) => isOpen && <ChunkLoadAlert />,
})

/**
 * A button that opens a menu, and regains the focus after a choice. Its elements are those of PatternFly's `MenuToggle`,
 * whose own component would bring icons that none has into the first load (2 KiB).
 */
export function MenuButton({
  label,
  icon,
  text,
  title,
  variant = 'plain',
  className = '',
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
  useEffect(() => MenuPopup.fetchAhead(), [])
  return (
    <>
      <button
        ref={toggle}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        title={title}
        onClick={() => setIsOpen(!isOpen)}
        onPointerEnter={approach}
        onFocus={approach}
        className={`pf-v6-c-menu-toggle${modifiers[variant]}${isOpen ? ' pf-m-expanded' : ''} ${className}`}
      >
        <span className="pf-v6-c-menu-toggle__icon">{icon}</span>
        {text && <span className="pf-v6-c-menu-toggle__text">{text}</span>}
        {variant !== 'plain' && (
          <span className="pf-v6-c-menu-toggle__controls">
            <span className="pf-v6-c-menu-toggle__toggle-icon">
              <CaretIcon />
            </span>
          </span>
        )}
      </button>
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
