import { useEffect } from 'react'

/** Where the focus goes when what had it is gone: the start of the page, without moving what is in sight. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * For dialogs: whoever opened it has the focus again, unless they are gone with the object, whose row may go before the
 * answer comes. Waits until the dialog, which does so itself a moment after its end, has given it back.
 */
export const useRestoreFocus = (): void => useEffect(() => focusIfLost, [])

function focusIfLost(): void {
  setTimeout(() => setTimeout(() => document.activeElement === document.body && focusHeading()))
}
