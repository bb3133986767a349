import { useEffect, useState } from 'react'
import { onClockOffset, serverNow } from '../../lib/server-clock'
import { createEmitter, type Emitter } from '../../lib/store'

/** One timer for all components with the same interval: a list has hundreds of times. */
interface Ticker {
  ticks: Emitter<[now: number]>
  stop: () => void
}
const tickers = new Map<number, Ticker>()

/**
 * The current time in ms by the clock of the cluster, updated at an interval. A hidden page does not tick.
 * @param everyMs `false` for something that does not change with time
 */
export function useNow(everyMs: number | false): number {
  const [now, setNow] = useState(serverNow)
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
    if (document.visibilityState === 'visible') ticks.emit(serverNow())
  }
  const timer = setInterval(tick, everyMs)
  document.addEventListener('visibilitychange', tick)
  const unsubscribe = onClockOffset(tick)
  const ticker = {
    ticks,
    stop() {
      clearInterval(timer)
      unsubscribe()
      document.removeEventListener('visibilitychange', tick)
    },
  }
  tickers.set(everyMs, ticker)
  return ticker
}
