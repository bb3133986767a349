import { useEffect } from 'react'

/** Moves the focus to the start of the page, without scrolling, when the focused element was removed. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * For dialogs: moves the focus to the heading if the element that opened the dialog was removed, as a row may be before
 * the response arrives. Waits until the dialog itself has tried to return the focus, shortly after it closes.
 */
export const useRestoreFocus = (): void => useEffect(() => focusIfLost, [])

function focusIfLost(): void {
  setTimeout(() => setTimeout(() => document.activeElement === document.body && focusHeading()))
}
