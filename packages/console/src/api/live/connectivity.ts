import { createStore, useStore } from '../../lib/store'
import { currentOutage, type Outage, useOutage } from './outage'

/**
 * Whether the browser is without a network. Its word is taken until the server answers all the same, as it does for
 * a console on the user's own machine; that nothing answers while the browser says it has a network is no such thing,
 * since the next try may do.
 */
const since = createStore<Date | undefined>(undefined)

/** When the network was lost; `undefined` with one. */
export const offlineSince = since.get
export const onConnectivity = since.subscribe
export const useOfflineSince = (): Date | undefined => useStore(since)

/**
 * The server has answered, whatever it said.
 * @param lostAt `offlineSince` of when it was asked: an answer that was on its way says nothing of the network since
 */
export function markOnline(lostAt: Date | undefined): void {
  if (lostAt === since.get()) since.set(undefined)
}

/**
 * Begins to listen to the browser; answers how to stop.
 * @param probe asks the server anything, so that a wrong word of the browser is found out
 */
export function startConnectivity(probe: () => Promise<unknown>): () => void {
  const lost = () => {
    since.set(since.get() ?? new Date())
    probe().catch(() => undefined)
  }
  const regained = () => since.set(undefined)
  if (!navigator.onLine) lost()
  const listening = new AbortController()
  globalThis.addEventListener('offline', lost, listening)
  globalThis.addEventListener('online', regained, listening)
  return () => {
    listening.abort()
    regained()
  }
}

const hourAndMinute = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
/** `9:05 AM`, on the user's own clock. */
export const clockTime = (date: Date): string => hourAndMinute.format(date)

/** No write was sent, since it could not arrive. A write is never kept for later. */
export class DisconnectedError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'DisconnectedError'
  }
}

/** @throws DisconnectedError while the browser is offline */
export function requireNetwork(): void {
  const reason = writeBlock(offlineSince(), undefined)
  if (reason) throw new DisconnectedError(reason)
}

/** @throws DisconnectedError while the browser is offline or the cluster does not respond */
export function requireConnection(): void {
  const reason = writeBlock(offlineSince(), currentOutage())
  if (reason) throw new DisconnectedError(reason)
}

/** Why nothing can be changed now, in words; `undefined` when it can. */
export const useWriteBlock = (): string | undefined => writeBlock(useOfflineSince(), useOutage())

function writeBlock(lostAt: Date | undefined, outage: Outage | undefined): string | undefined {
  if (lostAt) return `You are offline since ${clockTime(lostAt)}. Nothing can be changed until the network is back.`
  return outage && `${outage.reason} Nothing can be changed until it responds again.`
}
