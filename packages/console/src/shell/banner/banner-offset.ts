import { useEffect, useRef } from 'react'

const restMs = 100
const property = '--slipway-room-above'

/**
 * Tells the layout how high an element above the page is, so that the page keeps to the rest of the window. Its
 * height is taken over once it has rested: it changes with every pixel by which a window is drawn narrower.
 */
export function useBannerOffset() {
  const ref = useRef<HTMLElement>(null)
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
