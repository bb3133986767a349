export const bellId = 'notifications-bell'

/** The bell as the frame knows it: whether the drawer is open, and how that changes. */
export interface Bell {
  isExpanded: boolean
  onToggle: () => void
}

/** Whoever closes the drawer goes on where they opened it. */
export const focusBell = (): void => document.getElementById(bellId)?.focus()
