/** Scrolls an element, and nothing around it, so that a part of it is in the middle; does nothing if it is visible. */
export function scrollIntoView(scroller: HTMLElement, part: HTMLElement): void {
  const frame = scroller.getBoundingClientRect()
  const box = part.getBoundingClientRect()
  if (box.left < frame.left || box.right > frame.right) scroller.scrollLeft += box.left - frame.left - frame.width / 2
  if (box.top < frame.top || box.bottom > frame.bottom) scroller.scrollTop += box.top - frame.top - frame.height / 2
}
