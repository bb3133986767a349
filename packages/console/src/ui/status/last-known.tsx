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
  /** Whose freshness counts for everything inside: the same that the badge of the panel shows. */
  freshness: readonly FreshnessPart[]
  children: ReactNode
}

/** Inside, clocks and spinners stand still while the data is stale. */
export function LastKnownScope({ freshness, children }: LastKnownScopeProps) {
  const { kind, asOf } = useFreshness(freshness)
  const lastKnown = (kind === 'stale' || kind === 'offline') && asOf ? asOf.getTime() : 'live'
  // Of what never changes the freshness is that of what is around it.
  return freshness.length === 0 ? children : <Context value={lastKnown}>{children}</Context>
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
 * The time up to which something that goes on is known to have gone on: the present, or the last good moment.
 * @param everyMs how often it is rendered again; `false` for something that is over
 */
export function useKnownNow(everyMs: number | false): number {
  const lastKnown = useLastKnown()
  const now = useNow(everyMs)
  return lastKnown ?? now
}

/** Follows, for screen readers, what is shown as going on and may be over by now. */
export const AsLastKnown = () =>
  useLastKnown() !== undefined && <span className="pf-v6-screen-reader"> as last known</span>
