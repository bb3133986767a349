import { type RefObject, useLayoutEffect } from 'react'

/** How far down logs were when they were left; forgotten with the log. */
const leftAt = new WeakMap<object, number>()

/** Comes back to where a log was left. @param isWanted there is no better place to begin at */
export function useSavedScroll(scroller: RefObject<HTMLElement | null>, source: object, isWanted: boolean): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (isWanted) element?.scrollTo({ top: leftAt.get(source) ?? 0 })
    return () => void leftAt.set(source, element?.scrollTop ?? 0)
    // Only when one comes and goes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [source])
}
