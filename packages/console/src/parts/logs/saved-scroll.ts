import { type RefObject, useLayoutEffect } from 'react'

/** How far logs were scrolled when they were last shown, for as long as the log is in memory. */
const lastTop = new WeakMap<object, number>()

/** Restores the scroll position of a log. @param isEnabled whether there is no better position to start from */
export function useSavedScroll(scroller: RefObject<HTMLElement | null>, source: object, isEnabled: boolean): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (isEnabled) element?.scrollTo({ top: lastTop.get(source) ?? 0 })
    return () => void lastTop.set(source, element?.scrollTop ?? 0)
    // Only when a log is shown or hidden.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [source])
}
