import { useEffect, useState } from 'react'
import { createEmitter, type Emitter } from '../../lib/store'

/** One timer for all that ticks alike: a list has hundreds of times. */
interface Ticker {
  ticks: Emitter<[now: number]>
  stop: () => void
}
const tickers = new Map<number, Ticker>()

/**
 * The present time, and a new drawing whenever that much of it has passed. A page that nobody sees does not tick.
 * @param everyMs `false` for something that does not change with time
 */
export function useNow(everyMs: number | false): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === false) return
    const ticker = tickers.get(everyMs) ?? start(everyMs)
    const unsubscribe = ticker.ticks.subscribe(setNow)
    return () => {
      unsubscribe()
      if (ticker.ticks.hasListeners()) return
      ticker.stop()
      tickers.delete(everyMs)
    }
  }, [everyMs])
  return now
}

function start(everyMs: number): Ticker {
  const ticks: Ticker['ticks'] = createEmitter()
  const tick = () => {
    if (document.visibilityState === 'visible') ticks.emit(Date.now())
  }
  const timer = setInterval(tick, everyMs)
  document.addEventListener('visibilitychange', tick)
  const ticker = {
    ticks,
    stop() {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    },
  }
  tickers.set(everyMs, ticker)
  return ticker
}
