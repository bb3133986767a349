import { useEffect, useState } from 'react'

/**
 * The present time, and a new drawing whenever that much of it has passed. A page that nobody sees does not tick.
 * @param everyMs `false` for something that does not change with time
 */
export function useNow(everyMs: number | false): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === false) return
    const tick = () => {
      if (document.visibilityState === 'visible') setNow(Date.now())
    }
    const timer = setInterval(tick, everyMs)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [everyMs])
  return now
}
