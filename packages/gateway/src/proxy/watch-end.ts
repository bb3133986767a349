import { Transform } from 'node:stream'
import type { Status } from '@slipway/kube/status'

/** The last event of a watch that its server ends, as JSON. */
export const errorEvent = (status: Status): string => JSON.stringify({ type: 'ERROR', object: status })

export interface EndableWatch {
  /** Passes the events on until then. */
  step: Transform
  /** Ends the response after an ERROR event. */
  end(status: Status): void
}

/** A watch over HTTP whose events are lines of JSON. */
export function endableWatch(): EndableWatch {
  let isBetweenEvents = true
  let hasEnded = false
  const step = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (hasEnded) return done()
      isBetweenEvents = chunk.at(-1) === 0x0a
      done(null, chunk)
    },
  })
  return {
    step,
    end(status) {
      if (hasEnded || step.readableEnded) return
      hasEnded = true
      // An event that has arrived only in part would make the next one unreadable.
      if (isBetweenEvents) step.push(`${errorEvent(status)}\n`)
      step.push(null)
    },
  }
}
