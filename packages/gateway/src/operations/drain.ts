import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import type { Streams } from '../proxy/streams'

export interface DrainOptions {
  /** How long everything goes on while balancers learn from `/ready` that this replica is leaving; 10 s by default. */
  graceMs?: number
  /** Over how long streams are ended, so that not all clients come back in one moment; 2 s by default. */
  spreadMs?: number
  /** How long calls under way may take after that; 20 s by default. */
  callsMs?: number
}

export interface Drain {
  readonly isDraining: boolean
  /** Leaves without a failed request, then closes the gateway. A second call joins the first. */
  drain(options?: DrainOptions): Promise<void>
}

const stepMs = 50

/**
 * The order of leaving: `/ready` says so, balancers send new clients elsewhere, connections that are kept alive end
 * with their next answer, streams end one after the other, calls under way finish.
 */
export function createDrain(app: FastifyInstance, streams: Streams, openCalls: () => number, clock: Clock): Drain {
  let leaving: Promise<void> | undefined
  let endsConnections = false
  const unanswered = new Set<ServerResponse>()
  app.addHook('onRequest', async (_request, { raw }) => {
    if (endsConnections) return void raw.setHeader('connection', 'close')
    unanswered.add(raw)
    raw.once('close', () => unanswered.delete(raw))
  })
  const pass = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  async function leave({ graceMs = 10_000, spreadMs = 2_000, callsMs = 20_000 }: DrainOptions): Promise<void> {
    await pass(graceMs)
    endsConnections = true
    // Also those of calls under way: the next call on such a connection could meet a closed door.
    for (const answer of unanswered) if (!answer.headersSent) answer.setHeader('connection', 'close')
    let due = 0
    for (let left = Math.ceil(spreadMs / stepMs); left > 0; left--) {
      due += streams.endLong(0) / left
      streams.endLong(Math.floor(due))
      due %= 1
      await pass(stepMs)
    }
    streams.endLong(Infinity)
    for (let waitedMs = 0; openCalls() > 0 && waitedMs < callsMs; waitedMs += stepMs) await pass(stepMs)
    await app.close()
  }

  return {
    get isDraining() {
      return leaving !== undefined
    },
    drain: (options = {}) => (leaving ??= leave(options)),
  }
}
