import { Divider, Dropdown, DropdownItem, DropdownList, type TooltipProps } from '@patternfly/react-core'
import { Fragment, type ReactNode, type RefObject, useDeferredValue } from 'react'
import { useOverlayContainer } from '../page/overlay-container'

export interface MenuChoice {
  label: string
  description?: string | undefined
  icon?: ReactNode
  /** Marks the current choice of a menu that selects one of several. */
  isSelected?: boolean
  isDanger?: boolean
  /** Separates it from the choices above it. */
  startsGroup?: boolean
  /** Why this cannot be chosen now; `false` or absent when it can. */
  disabledReason?: string | false
  /** Called when it is chosen although it is disabled. */
  onExplain?: (() => void) | undefined
  onSelect: () => void
}

export interface MenuPopupProps {
  toggle: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Where the menu is rendered; next to the button, unless something would clip it there. */
  appendTo?: 'inline' | (() => HTMLElement)
  /** Accessible name of the menu, if that of the button does not say what is chosen. */
  menuLabel?: string
  /** A function is called when the menu opens. */
  choices: MenuChoice[] | (() => MenuChoice[])
}

/** Where the reason for a disabled choice is shown: above or below it, it would cover another choice. */
const besideMenu = {
  position: 'left',
  flipBehavior: ['left', 'right', 'top-end', 'bottom-end'],
} satisfies Partial<TooltipProps>

/** The menu of a separate button, which can be rendered, pressed and focused before its menu has been fetched. */
export function MenuPopup({ toggle, isOpen, onOpenChange, appendTo = 'inline', menuLabel, choices }: MenuPopupProps) {
  // A menu is positioned when it opens, but not if it is open from the start because the button was pressed early.
  const isShownOpen = useDeferredValue(isOpen, false)
  const overlayContainer = useOverlayContainer()
  const shown = typeof choices === 'function' ? choices() : choices
  // Separates what deletes something from the choices above it, where a click is easily a line too low.
  const firstDanger = shown.findIndex(({ isDanger }) => isDanger)
  return (
    <Dropdown
      isOpen={isShownOpen}
      onOpenChange={onOpenChange}
      onSelect={() => onOpenChange(false)}
      shouldFocusToggleOnSelect
      popperProps={{ position: 'right', appendTo }}
      toggle={{ toggleNode: undefined, toggleRef: toggle }}
    >
      <DropdownList aria-label={menuLabel}>
        {shown.map(
          (
            { label, description, icon, isSelected, isDanger, startsGroup, disabledReason, onExplain, onSelect },
            index,
          ) => (
            // By index too: users name some choices.
            <Fragment key={`${index} ${label}`}>
              {index > 0 && (startsGroup || index === firstDanger) && <Divider component="li" />}
              <DropdownItem
                icon={icon}
                description={disabledReason ? undefined : description}
                isSelected={isSelected}
                // PatternFly lets the red of danger win over the grey of what cannot be chosen.
                isDanger={isDanger && !disabledReason}
                // Not `isDisabled`: the reason must be reachable by keyboard.
                isAriaDisabled={Boolean(disabledReason)}
                tooltipProps={
                  disabledReason
                    ? {
                        content: disabledReason,
                        ...besideMenu,
                        maxWidth: '14rem',
                        appendTo: overlayContainer,
                      }
                    : undefined
                }
                // PatternFly calls no `onClick` of a disabled item.
                onClickCapture={
                  disabledReason && onExplain
                    ? () => {
                        onOpenChange(false)
                        onExplain()
                      }
                    : undefined
                }
                onClick={onSelect}
              >
                {label}
              </DropdownItem>
            </Fragment>
          ),
        )}
      </DropdownList>
    </Dropdown>
  )
}
