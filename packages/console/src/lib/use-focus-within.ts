import { useEffect, useState } from 'react'

/**
 * Returns whether the focus is on an element or inside it. React reports no event when the focused element is removed,
 * and neither do all browsers, so removals are observed too.
 */
export function useFocusWithin(element: HTMLElement | null): boolean {
  const [isWithin, setIsWithin] = useState(false)
  useEffect(() => {
    if (!element) return
    const check = () => setIsWithin(element.contains(document.activeElement))
    const listening = new AbortController()
    element.addEventListener('focusin', check, listening)
    // While the focus moves, no element has it.
    const onFocusOut = ({ relatedTarget }: FocusEvent) => setIsWithin(element.contains(relatedTarget as Node | null))
    element.addEventListener('focusout', onFocusOut, listening)
    const removals = new MutationObserver(check)
    removals.observe(element, { childList: true, subtree: true })
    return () => {
      listening.abort()
      removals.disconnect()
      setIsWithin(false)
    }
  }, [element])
  return isWithin
}
