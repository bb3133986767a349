import { createStore, useStore } from './store'

/**
 * The clock of the cluster, which writes the times that the console shows: that of this computer may be minutes off. All
 * ages, durations and times of updates count from it. This is by how much it is ahead, in ms; negative if it is behind.
 */
const offset = createStore(0)

export const onClockOffset = offset.subscribe
export const useClockOffset = (): number => useStore(offset)

/** @param localMs a time by the clock of this computer */
export const toServerTime = (localMs: number): number => localMs + offset.get()

export const serverNow = (): number => toServerTime(Date.now())

/**
 * Learns from the `Date` of a response, which has whole seconds. The offset changes only if it contradicts the response:
 * slow responses say little.
 * @param date as in the header; anything else is ignored
 * @param sentMs before the request was sent
 */
export function observeServerDate(date: string | null, sentMs: number, receivedMs = Date.now()): void {
  const dateMs = Date.parse(date ?? '')
  // The clock of this computer may have been set in between.
  if (Number.isNaN(dateMs) || receivedMs < sentMs) return
  const least = dateMs - receivedMs
  const most = dateMs + 1_000 - sentMs
  const agrees = (offsetMs: number) => least <= offsetMs && offsetMs <= most
  if (agrees(offset.get())) return
  // A clock that may be right is not corrected by parts of a second.
  offset.set(agrees(0) ? 0 : Math.round((least + most) / 2))
}

/** Whether a user should know: others see other times. */
export const isFarOff = (offsetMs: number): boolean => Math.abs(offsetMs) >= 60_000
