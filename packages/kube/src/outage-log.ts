import type { Clock } from './clock'
import { connectionLostMessage, type ListWatchState } from './list-watch-machine'

/** Logs an outage of several lists in two lines: one when the first is lost, one when all are back. */
export interface OutageLog {
  /** @param name name of the list, such as `taskruns` */
  onState(name: string, state: ListWatchState): void
}

export function createOutageLog({ clock, log }: { clock: Clock; log(message: string): void }): OutageLog {
  const lost = new Set<string>()
  let sinceMs = 0
  return {
    onState(name, { connection, reason, retryAtMs }) {
      if (connection === 'error') {
        if (lost.size === 0) {
          sinceMs = clock.now()
          const detail = reason && reason !== connectionLostMessage ? `: ${reason}` : ''
          log(`lost connection to ${name}, retrying in ${seconds((retryAtMs ?? sinceMs) - sinceMs)}${detail}`)
        }
        lost.add(name)
      } else if ((connection === 'open' || connection === 'destroyed') && lost.delete(name) && lost.size === 0) {
        if (connection === 'open') log(`connected again after ${seconds(clock.now() - sinceMs)}`)
      }
    },
  }
}

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 1_000))} s`
