import { createContext, type ReactNode, useContext } from 'react'
import { useOfflineSince } from '../../api/live/connectivity'
import { useFreshness } from '../../api/live/freshness'
import { useOutage } from '../../api/live/outage'
import type { FreshnessPart } from '../../api/source'
import { useNow } from '../text/now'

/** `live` while the data of a panel is kept up to date, else the time in ms at which it was last known to be true. */
type LastKnown = 'live' | number
const Context = createContext<LastKnown | undefined>(undefined)

interface LastKnownScopeProps {
  /** The freshness of everything inside, which the badge of the panel also shows. */
  freshness: readonly FreshnessPart[]
  children: ReactNode
}

/** Stops the clocks and spinners inside while the data is stale. */
export function LastKnownScope({ freshness, children }: LastKnownScopeProps) {
  const { kind, asOf } = useFreshness(freshness)
  const around = useContext(Context)
  const own = (kind === 'stale' || kind === 'offline') && asOf ? asOf.getTime() : 'live'
  // Content that never changes inherits the freshness of what surrounds it. The element stays the same, since another one
  // would mount the content again once its first query is known, and close the dialogs that are open in it.
  return <Context value={freshness.length === 0 ? around : own}>{children}</Context>
}

/** Time in ms at which what is shown was last known to be true; `undefined` while it is. */
export function useLastKnown(): number | undefined {
  const own = useContext(Context)
  const offlineSince = useOfflineSince()
  const outage = useOutage()
  const anywhere = (offlineSince ?? outage?.since)?.getTime()
  return own === 'live' ? undefined : (own ?? anywhere)
}

/**
 * The time until which something unfinished is known to have continued: now, or the last update of stale data.
 * @param everyMs how often to render again; `false` for something that has ended
 */
export function useKnownNow(everyMs: number | false): number {
  const lastKnown = useLastKnown()
  const now = useNow(everyMs)
  return lastKnown ?? now
}

/** Tells screen readers that what is shown as running may have ended by now. */
export const AsLastKnown = () =>
  useLastKnown() !== undefined && <span className="pf-v6-screen-reader"> as last known</span>
