import { Bullseye, Button, Spinner } from '@patternfly/react-core'
import { useEffect, useEffectEvent, useRef } from 'react'

/** How far below the visible area the next rows are requested. */
const ahead = '400px'

interface MoreRowsProps {
  isLoading: boolean
  load: () => void
  /** Load only with the button. */
  isOnDemand?: boolean
}

/** The end of an incomplete list: coming near it loads more, and so does its button. */
export function MoreRows({ isLoading, load, isOnDemand = false }: MoreRowsProps) {
  const end = useRef<HTMLDivElement>(null)
  const loadNow = useEffectEvent(load)
  useEffect(() => {
    if (!end.current || isLoading || isOnDemand) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && loadNow(),
      { rootMargin: ahead },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isLoading, isOnDemand])
  return (
    <Bullseye ref={end}>
      {isLoading ? (
        <Spinner size="lg" aria-label="Loading more" />
      ) : (
        <Button variant="link" onClick={load}>
          Load more
        </Button>
      )}
    </Bullseye>
  )
}
