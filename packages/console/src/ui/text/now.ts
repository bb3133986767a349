import { useEffect, useState } from 'react'

/** One timer for all components with the same interval: a list has hundreds of times. */
interface Ticker {
  listeners: Set<(now: number) => void>
  stop: () => void
}
const tickers = new Map<number, Ticker>()

/**
 * The current time, updated at an interval. A hidden page does not tick.
 * @param everyMs `false` for something that does not change with time
 */
export function useNow(everyMs: number | false): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === false) return
    const ticker = tickers.get(everyMs) ?? start(everyMs)
    ticker.listeners.add(setNow)
    return () => {
      ticker.listeners.delete(setNow)
      if (ticker.listeners.size > 0) return
      ticker.stop()
      tickers.delete(everyMs)
    }
  }, [everyMs])
  return now
}

function start(everyMs: number): Ticker {
  const listeners: Ticker['listeners'] = new Set()
  const tick = () => {
    if (document.visibilityState !== 'visible') return
    const now = Date.now()
    for (const listener of listeners) listener(now)
  }
  const timer = setInterval(tick, everyMs)
  document.addEventListener('visibilitychange', tick)
  const ticker = {
    listeners,
    stop() {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    },
  }
  tickers.set(everyMs, ticker)
  return ticker
}
