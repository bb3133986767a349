import { serverNow } from '../../lib/server-clock'
import { createStore, useStore } from '../../lib/store'
import { currentOutage, type Outage, useOutage } from './outage'

/**
 * Whether the browser is offline. What the browser says counts until the server responds anyway, as it does for a
 * console on the user's own machine. A server that does not respond while the browser is online does not make the
 * console offline, since the next attempt may succeed.
 */
const since = createStore<Date | undefined>(undefined)

/** When the network was lost; `undefined` while online. */
export const offlineSince = since.get
export const onConnectivity = since.subscribe
export const useOfflineSince = (): Date | undefined => useStore(since)

/**
 * Records that the server has responded, with any status.
 * @param lostAt `offlineSince()` at the time of the request: a late response says nothing about the network since then
 */
export function markOnline(lostAt: Date | undefined): void {
  if (lostAt === since.get()) since.set(undefined)
}

/**
 * Starts listening to the browser's online state. Returns a function that stops it.
 * @param probe sends any request to the server, to find out if the browser is wrong
 */
export function startConnectivity(probe: () => Promise<unknown>): () => void {
  const onOffline = () => {
    since.set(since.get() ?? new Date(serverNow()))
    probe().catch(() => undefined)
  }
  const onOnline = () => since.set(undefined)
  if (!navigator.onLine) onOffline()
  const listening = new AbortController()
  globalThis.addEventListener('offline', onOffline, listening)
  globalThis.addEventListener('online', onOnline, listening)
  return () => {
    listening.abort()
    onOnline()
  }
}

const hourAndMinute = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
/** `9:05 AM`, on the user's own clock. */
export const clockTime = (date: Date): string => hourAndMinute.format(date)

/** No write was sent, since it could not arrive. Writes are never queued for later. */
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

/** Why writes are blocked now, as a message; `undefined` when they are not. */
export const useWriteBlock = (): string | undefined => writeBlock(useOfflineSince(), useOutage())

function writeBlock(lostAt: Date | undefined, outage: Outage | undefined): string | undefined {
  if (lostAt) return `You have been offline since ${clockTime(lostAt)}. You can make changes once the network is back.`
  return outage && `${outage.reason} You can make changes once it responds again.`
}
