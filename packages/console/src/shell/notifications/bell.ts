export const bellId = 'notifications-bell'

/** State of the bell: whether the drawer is open, and how to toggle it. */
export interface Bell {
  isExpanded: boolean
  onToggle: () => void
}

/** Returns the focus to the bell when the drawer closes. */
export const focusBell = (): void => document.getElementById(bellId)?.focus()
