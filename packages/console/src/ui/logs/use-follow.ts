import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end is at the end. */
const nearPx = 24

/**
 * Stays at the end of what grows, until somebody scrolls up; at the end again, it goes on.
 * @param length whatever changes when the content grows
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, isWanted: boolean, length: number) {
  const [isFollowing, setIsFollowing] = useState(isWanted)
  const topPx = useRef(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !isFollowing || !isWanted) return
    element.scrollTo({ top: element.scrollHeight })
    topPx.current = element.scrollTop
  }, [scroller, isFollowing, isWanted, length])
  return {
    isFollowing: isFollowing && isWanted,
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
