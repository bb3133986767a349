import type { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { WebSocket } from 'ws'
import type { Clock } from '@slipway/kube/clock'

/** What to check for leaks: after opening and ending streams many times, everything should be as before. */
export interface Subject {
  /**
   * Opens streams, ends them all, and gives both ends time to notice.
   * @returns the number of streams
   */
  round(): Promise<number>
  /** Connections waiting for their next call: reusing them is not a leak, but having more of them than streams is. */
  idleConnections(): number
  /** Closes the idle connections. */
  closeIdle(): Promise<void>
  /** Counts of retained things by name. */
  counts(): Promise<Record<string, number>>
}

/** Classes that a stream consists of. V8 counts the reachable instances after a garbage collection. */
const classes = { Socket, IncomingMessage, ServerResponse, WebSocket, AbortController }
/** A leaked stream takes 30 kB and more; compiled code and fixed-size caches take a few hundred bytes per stream. */
const heapBytesPerStream = 1_500

/**
 * Describes each leak; empty if there is none. Counts may grow by one per ten streams, since connections of tests and
 * gateway end at any time; those of listeners and timers must not grow.
 */
export async function findLeaks({ round, idleConnections, closeIdle, counts }: Subject, rounds = 5): Promise<string[]> {
  const read = async () => {
    await closeIdle()
    return { ...(await counts()), ...countObjects() }
  }
  // Warm-up: caches and pools fill, and code is compiled.
  for (let index = 0; index < 3; index++) await round()
  const before = await read()
  const heapBefore = process.memoryUsage().heapUsed
  let streams = 0
  let mostIdle = 0
  let inARound = 0
  for (let index = 0; index < rounds; index++) {
    inARound = await round()
    streams += inARound
    mostIdle = Math.max(mostIdle, idleConnections())
  }
  const grownNow = async () => {
    const after: Record<string, number> = await read()
    return Object.entries(before).flatMap(([name, count]) => {
      const more = (after[name] ?? 0) - count
      return more > (name in classes ? streams / 10 : 0) ? [`${name}: ${more} more after ${streams} streams`] : []
    })
  }
  let grown = await grownNow()
  // On a busy machine the last of them take time to end. Leaks stay.
  for (let tries = 0; tries < 30 && grown.length > 0; tries++) {
    await setTimeout(1_000)
    grown = await grownNow()
  }
  const heap = (process.memoryUsage().heapUsed - heapBefore) / streams
  return [
    ...grown,
    ...(mostIdle > inARound ? [`idle connections: ${mostIdle} after ${inARound} streams at a time`] : []),
    ...(heap > heapBytesPerStream ? [`memory: ${Math.round(heap)} bytes for each of ${streams} streams`] : []),
  ]
}

function countObjects(): Record<string, number> {
  return Object.fromEntries(
    Object.entries(classes).map(([name, constructor]) => [name, queryObjects(constructor, { format: 'count' })]),
  )
}

/** A clock that counts the timers that have neither fired nor been cancelled. */
export function countingClock(clock: Clock): Clock & { pending(): number } {
  let pending = 0
  return {
    now: () => clock.now(),
    after(delayMs, run) {
      let isPending = true
      pending++
      const end = () => {
        if (isPending) pending--
        isPending = false
      }
      const stop = clock.after(delayMs, () => {
        end()
        run()
      })
      return () => {
        end()
        stop()
      }
    },
    pending: () => pending,
  }
}

/** The number of listeners for all events. */
export const listenersOf = (emitter: EventEmitter): number =>
  emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
