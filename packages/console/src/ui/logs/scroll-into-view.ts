/** Scrolls what scrolls, and nothing around it, so that a part of it is in sight: as little as it takes is in the middle. */
export function scrollIntoView(scroller: HTMLElement, part: HTMLElement): void {
  const frame = scroller.getBoundingClientRect()
  const box = part.getBoundingClientRect()
  if (box.left < frame.left || box.right > frame.right) scroller.scrollLeft += box.left - frame.left - frame.width / 2
  if (box.top < frame.top || box.bottom > frame.bottom) scroller.scrollTop += box.top - frame.top - frame.height / 2
}
