import { useEffect, useRef } from 'react'

const restMs = 100
const property = '--slipway-room-above'

/**
 * Sets the height of an element above the page as a CSS property, so that the page fits into the rest of the window.
 * Waits until the height is stable: while the user resizes the window, it may change with every pixel.
 */
export function useBannerOffset() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const root = document.documentElement.style
    let timer: ReturnType<typeof setTimeout> | undefined
    const apply = () => root.setProperty(property, `${element.offsetHeight}px`)
    apply()
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(apply, restMs)
    })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      root.removeProperty(property)
    }
  }, [])
  return ref
}
