/** History state of a navigation that leaves the focus where it is. */
export const focusStays = 'focus-stays'

/** Moves the focus to the start of the page, without scrolling, when the focused element was removed. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
