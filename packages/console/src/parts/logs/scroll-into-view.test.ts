import { expect, test } from 'vitest'
import { scrollIntoView } from './scroll-into-view'

/** The scrolling element is 800 by 600 pixels. */
function scrolled(left: number, top: number): [number, number] {
  const at = (box: DOMRect) => {
    const element = document.createElement('div')
    element.getBoundingClientRect = () => box
    return element
  }
  const scroller = at(new DOMRect(100, 50, 800, 600))
  Object.assign(scroller, { scrollLeft: 0, scrollTop: 0 })
  scrollIntoView(scroller, at(new DOMRect(left, top, 40, 20)))
  return [scroller.scrollLeft, scroller.scrollTop]
}

test.each<[string, [number, number], [number, number]]>([
  ['does not scroll to a visible part', [500, 300], [0, 0]],
  ['scrolls right, with the part in the middle', [5_000, 300], [4_500, 0]],
  ['scrolls down', [500, 4_050], [0, 3_700]],
  ['scrolls both ways', [5_000, 4_050], [4_500, 3_700]],
])('%s', (_, [left, top], expected) => expect(scrolled(left, top)).toEqual(expected))
