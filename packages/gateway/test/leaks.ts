import type { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { WebSocket } from 'ws'
import type { Clock } from '@slipway/kube/clock'

/** What is looked at: everything in it was opened and ended again many times, and should be as it was. */
export interface Subject {
  /**
   * Opens streams, ends them all, and gives both ends the time to notice.
   * @returns how many it were
   */
  round(): Promise<number>
  /** Connections that wait for their next call: using them again is no leak, having more than streams is one. */
  idleConnections(): number
  /** Closes those. */
  closeIdle(): Promise<void>
  /** How much of each thing is held, by its name. */
  held(): Promise<Record<string, number>>
}

/** The classes of what a stream is made of. V8 counts those that are still reachable, after a garbage collection. */
const classes = { Socket, IncomingMessage, ServerResponse, WebSocket, AbortController }
/** A stream that stays whole takes 30 kB and more; the compiler and caches of fixed size take some hundred for each. */
const heapBytesPerStream = 1_500

/**
 * What does not come back, in words; nothing when all of it does. Each thing may grow by one for ten streams, since
 * connections of tests and gateway end when they like; listeners and timers by none.
 */
export async function leaksOf({ round, idleConnections, closeIdle, held }: Subject, rounds = 5): Promise<string[]> {
  const read = async () => {
    await closeIdle()
    return { ...(await held()), ...objectsHeld() }
  }
  // Caches and pools fill, and code is compiled.
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
  // On a busy machine the last of them take their time to go. What leaks stays.
  for (let tries = 0; tries < 5 && grown.length > 0; tries++) {
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

function objectsHeld(): Record<string, number> {
  return Object.fromEntries(
    Object.entries(classes).map(([name, constructor]) => [name, queryObjects(constructor, { format: 'count' })]),
  )
}

/** A clock that knows how many timers are neither due nor cancelled. */
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

/** Of all events. */
export const listenersOf = (emitter: EventEmitter): number =>
  emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
