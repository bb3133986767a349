import { Tooltip } from '@patternfly/react-core'
import { type ReactNode, useRef, useState } from 'react'
import { overlayContainer } from '../page/overlay-container'

/**
 * A tooltip for something of which there are many: it is made when its element is first pointed at or tabbed to. One
 * that is there from the start costs more than the rest of a row of a table.
 * @returns what to give the element, and what to draw beside it
 */
export function useTooltip<E extends HTMLElement>(content: () => ReactNode) {
  const ref = useRef<E>(null)
  // `undefined` before the first time. From there on the tooltip listens to its element itself, too.
  const [isWanted, setIsWanted] = useState<boolean>()
  const show = () => setIsWanted(true)
  const hide = () => setIsWanted(false)
  return {
    trigger: { ref, onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide },
    tooltip: isWanted !== undefined && (
      <Tooltip triggerRef={ref} isVisible={isWanted} content={content()} appendTo={overlayContainer} aria-live="off" />
    ),
  }
}
