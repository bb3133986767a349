import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Within this distance, the log counts as scrolled to its end. */
const nearPx = 24

/**
 * Follows the end of growing content until the user scrolls up, and resumes when the user is back at the end.
 * @param length a value that changes when the content grows
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, isEnabled: boolean, length: number) {
  const [isFollowing, setIsFollowing] = useState(isEnabled)
  const topPx = useRef(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !isFollowing || !isEnabled) return
    element.scrollTo({ top: element.scrollHeight })
    topPx.current = element.scrollTop
  }, [scroller, isFollowing, isEnabled, length])
  return {
    isFollowing: isFollowing && isEnabled,
    setIsFollowing,
    onScroll() {
      const element = scroller.current
      if (!element) return
      const { scrollTop, scrollHeight, clientHeight } = element
      const isAtEnd = scrollHeight - scrollTop - clientHeight < nearPx
      if (isAtEnd) setIsFollowing(true)
      else if (scrollTop < topPx.current - 1) setIsFollowing(false)
      topPx.current = scrollTop
    },
  }
}
